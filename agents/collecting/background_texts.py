"""Openings of procedures from unrelated trades; their mean embedding represents a generic procedure."""

_TEXTS = """
Bakery deck oven: weekly cleaning. Let it cool below 40 °C, take out the stones, brush the crumbs into the tray.
Forklift daily check. Before the shift, walk around the truck, look at forks, chains, tyres and horn, note any damage.
Pipette calibration. Weigh ten volumes of distilled water, correct for temperature and compare the mean with the limit.
Railway points: clearing snow by hand. Tell the signaller, wait for confirmation, sweep the blades, report.
Patient monitor: replacing the battery. Switch it off, swap the pack and run the self-test before it goes back.
Server backup restore test. Choose a backup at random, restore it to the test machine and compare the checksums.
Lathe set-up sheet. Fit the chuck, clamp the blank, set the zero point and make the first cut at reduced feed.
Swimming pool water: taking a sample. Rinse the bottle, fill it 30 cm below the surface, label it with place and time.
Aircraft cabin: oxygen mask drill. Take a seat, put on the nearest mask and help others once the descent is over.
Fire extinguisher inspection. Check seal, gauge and hose, weigh the cylinder and hang the new tag.
Dairy pasteuriser: alarm of the outlet temperature. Divert the flow, hold the product and call the shift leader.
Wind turbine: locking the rotor. Stop the turbine, engage the pin, lock out the yaw drive and test for zero energy.
Spray booth filter change. Stop the fan, wear a mask, take out the loaded mats, fit new ones, note the pressure drop.
School kitchen allergen control. Keep separate boards, label every container and write the menu card for each meal.
Conveyor belt tracking. Lock out the drive, turn the take-up bolts by a quarter turn, run empty and watch two turns.
Street lighting: replacing a lamp. Close the lane, isolate the circuit, lift the basket and test the new lamp.
Chemical store: spill response. Warn others, put on gloves and goggles, ring the spill with absorbent.
Paper machine: threading after a break. Clear the broke, slow the section, blow the tail across, bring the tension up.
Vineyard press: end of season. Drain the lines, rinse with warm water, grease the spindle and cover the basket.
Telephone exchange: changing a line card. Wear the earthing strap, busy out the circuits, pull the card.
"""
ELSEWHERE = tuple(_TEXTS.strip().splitlines())
