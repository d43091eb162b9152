// The web client: messages of a thread, and a card for whatever the graph waits for (LangChain's HITLRequest).

const GRAPH = "troubleshoot";
const at = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
let thread = new URLSearchParams(location.search).get("thread");
let drawn = "";

async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const token = localStorage.getItem("soprag_token") ?? "";
  const sent = typeof body === "string" ? body : body && JSON.stringify(body);
  const headers = { "x-api-key": token, "content-type": "application/json" };
  const response = await fetch(path, { method, headers, body: sent });
  if (response.status === 401) return withToken(() => ask(path, body, method));
  if (!response.ok) throw new Error(await response.text());
  return response;
}

function withToken(again) {
  const token = prompt("This server asks for its token.");
  if (token === null) throw new Error("A token is needed.");
  localStorage.setItem("soprag_token", token);
  document.cookie = `soprag_token=${encodeURIComponent(token)}; path=/; SameSite=Strict`;
  return again();
}

async function run(request) {
  busy("Working ...");
  at("card").hidden = true;
  try {
    thread ??= (await (await ask("/threads", {})).json()).thread_id;
    history.replaceState(null, "", `?thread=${thread}`);
    const stream_mode = ["values", "custom"];
    const response = await ask(`/threads/${thread}/runs/stream`, { assistant_id: GRAPH, stream_mode, ...request });
    for await (const [event, data] of events(response.body)) await follow(event, data);
    await show();
    busy("");
  } catch (error) {
    if (error instanceof TypeError && thread) return settle(); // the connection broke: another process may go on with the turn
    busy(`Failed: ${error.message}`);
    throw error;
  }
}

// Wait for the end of a turn whose connection broke, and show where the thread stands.
async function settle() {
  busy("The connection broke; looking for what became of it ...");
  for (let tries = 0; tries < 60; tries++) {
    await new Promise((resume) => setTimeout(resume, 1000));
    try {
      if (await show()) return busy("The connection broke. This is where the thread stands; what is missing here was not received.");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  busy("Failed: the server does not answer.");
}

async function* events(stream) {
  let text = "";
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value.replaceAll("\r", "")).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.split("\n").filter((row) => row.startsWith(`${name}:`)).map((row) => row.slice(name.length + 1).trim()).join("\n");
      if (field("data")) yield [field("event"), JSON.parse(field("data"))];
    }
  }
}

async function follow(event, data) {
  if (event === "error") throw new Error(data.message ?? data.error);
  if (event === "custom" && data.kind === "progress" && data.phase === "begin") busy(`${data.expert}: ${data.text}`);
  if (event === "values" && data.messages) await messages(data.messages);
}

async function show() {
  const state = await (await ask(`/threads/${thread}/state`)).json();
  await messages(state.values.messages ?? []);
  const requests = state.tasks.flatMap((task) => task.interrupts).map((interrupt) => interrupt.value);
  const [action] = requests[0]?.action_requests ?? [];
  const allowed = requests[0]?.review_configs[0].allowed_decisions ?? [];
  card(action, allowed);
  await flow(action);
  if (action) at("talk").scrollTop = at("talk").scrollHeight; // what is to be decided is in sight
  return Boolean(action) || !state.next.length; // whether no turn is under way
}

async function messages(list) {
  const shown = at("messages");
  for (const child of [...shown.children]) if (!list.some((message) => message.id === child.id)) child.remove();
  for (const message of list) {
    const text = typeof message.content === "string" ? message.content : message.content.map((part) => part.text ?? "").join("\n");
    let element = document.getElementById(message.id);
    if (!element) shown.append((element = make("div", { id: message.id, className: message.type })));
    if (element.source === text) continue;
    element.source = text;
    if (message.type === "human") element.textContent = text;
    else element.innerHTML = await (await ask("/markdown", text)).text(); // the server escapes HTML in it
  }
  const asked = [...shown.querySelectorAll(".human")].at(-1); // an answer is read from its first line
  if (asked) at("talk").scrollTop = asked.offsetTop - at("talk").offsetTop - 8;
}

// Pairs of ** are drawn as bold; nothing else of a procedure's words is changed.
const words = (text) => text.split(/\*\*(?=\S)(.+?)(?<=\S)\*\*/s).map((part, n) => (n % 2 ? make("b", { textContent: part }) : part));

// A row of the card; why the last reply was not taken stands out from what is asked.
function asked([name, text]) {
  const [, problem, rest] = /^(Problem: .*)\n?([^]*)$/.exec(name === "asked" ? text : "") ?? [null, "", text];
  const row = (className, part) => make("pre", { className }, ...words(part));
  return [...(problem ? [row("problem", problem)] : []), ...(rest ? [row(name, rest)] : [])];
}

function card(action, allowed) {
  const form = at("card");
  form.hidden = !action;
  form.replaceChildren();
  if (!action) return;
  const guided = "reply" in action.args;
  const fields = guided ? { reply: "" } : action.args;
  if (guided) form.append(...Object.entries(action.args).filter(([name]) => name !== "reply").flatMap(asked));
  else form.append(make("b", { textContent: action.name }), make("pre", { textContent: action.description }));
  const decide = (decision) => run({ command: { resume: { decisions: [decision] } } });
  const say = (text, message) => make("button", { type: "button", textContent: text, onclick: () => decide({ type: "respond", message }) });
  if (guided) form.append(make("div", { className: "buttons" }, ...[...choices(action), ...tools(action)].map(([text, message]) => say(text, message))));
  const rejects = !guided && allowed.includes("reject"); // a step is left out by the reply "skip" and the reason
  const inputs = Object.entries(fields).map(([name, value]) => field(name, value, allowed.includes("edit")));
  const reason = make("input", { name: "reason", placeholder: "Reason, to reject" });
  form.append(...inputs, ...(rejects ? [reason] : []));
  const edited = () => ({ name: action.name, args: { ...action.args, ...Object.fromEntries(inputs.map((label) => [label.dataset.name, label.lastChild.value])) } });
  const changed = () => inputs.some((label) => label.lastChild.value !== label.dataset.before);
  const submit = () => decide(changed() ? { type: "edit", edited_action: edited() } : { type: "approve" });
  const approve = make("button", { className: "yes", textContent: guided ? plain(action) : "Approve" });
  if (guided) form.oninput = () => { approve.textContent = changed() ? "Send the reply" : plain(action); };
  const reject = make("button", { type: "button", textContent: "Reject", onclick: () => decide({ type: "reject", message: reason.value }) });
  form.append(make("div", { className: "buttons" }, approve, ...(guided ? [say("Back", "back")] : []), ...(rejects ? [reject] : [])));
  form.onsubmit = (event) => { event.preventDefault(); submit(); };
}

// What a step lets a person choose from: the words of a button, and the reply that it sends.
function choices({ name, soprag: step }) {
  if (name !== "step" || !step) return [];
  if (step.only_if && !step.applies) return [["Yes, it applies", "yes"], ["No", "no"]];
  return step.ways.length > 1 ? step.ways.map((way, n) => [`${n + 1} · ${way.condition || "otherwise"}`, `${n + 1}`]) : [];
}

const tools = ({ name, soprag: step }) => (name === "step" && step ? step.tools.map((tool) => [`Use ${tool} ...`, `use ${tool}`]) : []);

// What the green button does while no reply is written.
function plain(action) {
  const step = action.soprag;
  if (action.name !== "step" || !step) return action.name === "warning" ? "I have read this" : "Approve";
  if (step.suggested) return `Take way ${step.suggested.way}, as the reading says`;
  return step.ranges.some((limits) => limits.required) || choices(action).length ? "Send the reply" : "Done";
}

function field(name, value, editable) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const input = make(name === "reply" ? "input" : "textarea", { name, value: text, readOnly: !editable });
  if (input.tagName === "TEXTAREA") input.rows = Math.min(8, text.split("\n").length);
  if (name === "reply") input.placeholder = "A value, skip and why, or a question";
  const label = make("label", {}, name, input);
  Object.assign(label.dataset, { name, before: text });
  return label;
}

async function flow(action) {
  at("flow").hidden = !action || !drawn && !action.soprag?.sop;
  const step = action?.soprag;
  if (!step?.node) return;
  const columns = Math.floor((at("flow").clientWidth - 100) / 7); // 7 px each, beside margins and lines
  const path = `/procedures/${encodeURIComponent(step.sop)}/flow.svg?at=${encodeURIComponent(step.node)}&columns=${columns}`;
  if (path === drawn) return;
  drawn = path;
  at("flow").innerHTML = await (await ask(path)).text();
  at("flow").querySelector(".here")?.scrollIntoView({ block: "center" });
}

const busy = (text) => { at("status").textContent = text; };
at("say").onsubmit = (event) => {
  event.preventDefault();
  const content = at("text").value.trim();
  at("text").value = "";
  if (content) run({ input: { messages: [{ role: "user", content }] } });
};
at("text").onkeydown = (event) => {
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  at("say").requestSubmit();
};
at("new").onclick = () => location.assign("/");
if (thread) show();
