"""Settings of the benchmark builder: parsing, questions, the run folder."""

from typing import Literal

from pydantic import Field

from soprag.configs.section import SettingsSection


class ParsingSettings(SettingsSection):
    """Conversion of documents to Markdown, see docs/parsing.md."""

    tier: Literal["auto", "flash", "basic", "standard", "advanced"] = Field(
        description="MinerU tier; auto: the best one whose models are installed."
    )
    models: str = Field(description="Folder with MinerU's models; empty: MINERU_MODEL_BASE_DIR, else ~/.mineru/models.")
    server: str = Field(
        pattern=r"^(https?://.+)?$",
        description="URL of a MinerU server that parses documents first; its key: MINERU_API_KEY. Empty: none.",
    )
    server_timeout: float = Field(gt=0, description="Seconds for one document at the MinerU server.")
    server_at_once: int = Field(ge=1, le=64, description="Documents under way at once at the MinerU server.")
    server_rest: float = Field(
        ge=0, description="Seconds without requests to the MinerU server after it could not be reached."
    )
    vlm: str = Field(
        pattern=r"^(https?://.+)?$",
        description="URL of an OpenAI-compatible server with a MinerU vision model for scans; its key: "
        "MINERU_VLM_API_KEY. Empty: none.",
    )
    vlm_model: str = Field(description="Name of the vision model; empty: the only one the server has.")
    described: int = Field(
        ge=0, le=1000, description="Pictures per document that the chat model describes; it must accept images."
    )
    ocr: bool = Field(description="Recognise text of scans with the extra soprag[ocr], when it is installed.")
    workers: int = Field(ge=0, le=64, description="Parser processes; 0: one per core, at most 8.")
    timeout: float = Field(gt=0, description="Seconds for one document, over all engines.")
    timeout_per_page: float = Field(ge=0, description="Seconds added to parsing.timeout per page.")
    probe_share: float = Field(gt=0, le=1, description="Share of a document's time that its first inspection may use.")
    engine_share: float = Field(
        gt=0, le=1, description="Share of the remaining time for an engine while another one can follow."
    )
    memory: int = Field(ge=1024, description="Memory limit of one parser process, in MiB.")
    recycle: int = Field(ge=1, description="Documents after which a parser process is replaced.")
    max_bytes: int = Field(ge=1, description="Largest document, in bytes.")
    max_pages: int = Field(ge=1, description="Largest PDF, in pages.")
    max_pixels: int = Field(ge=1, description="Largest picture, in pixels.")
    max_cells: int = Field(ge=1, description="Largest workbook, in cells.")
    max_members: int = Field(ge=1, description="Largest number of files inside one Office file.")
    max_unpacked: int = Field(ge=1, description="Largest unpacked size of an Office file, in bytes.")
    max_part: int = Field(ge=1, description="Largest unpacked size of one XML part of an Office file, in bytes.")
    max_ratio: int = Field(ge=1, description="Largest compression ratio of an XML part above 1 MB.")
    max_characters: int = Field(ge=1000, description="Longest Markdown of a document, in characters.")
    max_procedures: int = Field(ge=1, description="Largest number of procedures that one document is split into.")
    max_cut_characters: int = Field(
        ge=1000, description="Longest text of all procedures of one document, each with the preamble they share."
    )
    cache: bool = Field(description="Store results on disk, so that the same bytes are parsed once per engine.")


class ExamineSettings(SettingsSection):
    """Benchmark questions, see docs/questions.md."""

    questions: int = Field(ge=1, le=25, description="Questions per SOP, spread over the five levels.")
    sample: int = Field(ge=1, description="SOPs that get questions.")
    rounds: int = Field(ge=0, le=5, description="How often a rejected question is rewritten.")
    duplicate: float = Field(
        gt=0, le=1, description="Cosine from which two questions of one SOP count as the same question."
    )
    seed: int = Field(description="Seed of every random choice.")
    panel: bool = Field(
        default=True,
        description="Whether nine retrieval systems are tried on the finished questions; no model is asked for it.",
    )


class RunSettings(SettingsSection):
    """A run and its folder."""

    concurrency: int = Field(ge=1, le=256, description="Documents or SOPs under way at once in each stage.")
    folder: str = Field(min_length=1, description="Folder that holds the run folders.")
    cache: str = Field(description="Cache folder; empty: the cache folder of the user account.")
