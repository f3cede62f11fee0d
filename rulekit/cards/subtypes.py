"""The subtypes that the rules know (205.3), by the card type that they belong to."""

from __future__ import annotations

CREATURE_TYPES = tuple(
    """
    Advisor Aetherborn Alien Ally Angel Antelope Ape Archer Archon Armadillo Army Artificer Assassin Assembly-Worker
    Astartes Atog Aurochs Avatar Azra Badger Balloon Barbarian Bard Basilisk Bat Bear Beast Beaver Beeble Beholder
    Berserker Bird Bison Blinkmoth Boar Brainiac Bringer Brushwagg C'tan Camarid Camel Capybara Caribou Carrier Cat
    Centaur Child Chimera Citizen Cleric Clown Cockatrice Construct Coward Coyote Crab Crocodile Custodes Cyberman
    Cyclops Dalek Dauthi Demigod Demon Deserter Detective Devil Dinosaur Djinn Doctor Dog Dragon Drake Dreadnought Drix
    Drone Druid Dryad Dwarf Echidna Efreet Egg Elder Eldrazi Elemental Elephant Elf Elk Employee Eye Faerie Ferret Fish
    Flagbearer Fox Fractal Frog Fungus Gamer Gargoyle Germ Giant Gith Glimmer Gnoll Gnome Goat Goblin God Golem Gorgon
    Graveborn Gremlin Griffin Guest Hag Halfling Hamster Harpy Hedgehog Hellion Hero Hippo Hippogriff Homarid
    Homunculus Horror Horse Human Hydra Hyena Illusion Imp Incarnation Inkling Inquisitor Insect Jackal Jellyfish
    Juggernaut Kangaroo Kavu Kirin Kithkin Knight Kobold Kor Kraken Lamia Lammasu Leech Lemur Leviathan Lhurgoyf Licid
    Lizard Llama Lobster Manticore Masticore Mercenary Merfolk Metathran Minion Minotaur Mite Mole Monger Mongoose Monk
    Monkey Moogle Moonfolk Mount Mouse Mutant Myr Mystic Nautilus Necron Nephilim Nightmare Nightstalker Ninja Noble
    Noggle Nomad Nymph Octopus Ogre Ooze Orb Orc Orgg Otter Ouphe Ox Oyster Pangolin Peasant Pegasus Pentavite Performer
    Pest Phelddagrif Phoenix Phyrexian Pilot Pincher Pirate Plant Platypus Porcupine Possum Praetor Primarch Prism
    Processor Qu Rabbit Raccoon Ranger Rat Rebel Reflection Rhino Rigger Robot Rogue Sable Salamander Samurai Sand
    Saproling Satyr Scarecrow Scientist Scion Scorpion Scout Sculpture Seal Serf Serpent Servo Shade Shaman Shapeshifter
    Shark Sheep Siren Skeleton Skrull Skunk Slith Sliver Sloth Slug Snail Snake Soldier Soltari Sorcerer Spawn Specter
    Spellshaper Sphinx Spider Spike Spirit Splinter Sponge Spy Squid Squirrel Starfish Surrakar Survivor Symbiote
    Synth Tentacle Tetravite Thalakos Thopter Thrull Tiefling Toy Treefolk Trilobite Triskelavite Troll Turtle Tyranid
    Unicorn Utrom Vampire Varmint Vedalken Villain Volver Wall Walrus Warlock Warrior Weasel Weird Werewolf Whale Wizard
    Wolf Wolverine Wombat Worm Wraith Wurm Yeti Zombie Zubera
    """.split()
)
"""Creature types in alphabetical order (205.3m); kindreds share them. `Time Lord` is one as well."""

ARTIFACT_TYPES = tuple(
    """
    Attraction Blood Bobblehead Clue Contraption Equipment Food Fortification Gold Incubator Infinity Junk Lander Map
    Mutagen Powerstone Spacecraft Stone Terminus Treasure Vehicle Vibranium
    """.split()
)
ENCHANTMENT_TYPES = tuple("Aura Background Cartouche Case Class Curse Plan Role Room Rune Saga Shard Shrine".split())
LAND_TYPES = tuple(
    """
    Plains Island Swamp Mountain Forest Cave Cloud Desert Gate Lair Locus Mine Planet Power-Plant Sphere Tower Town
    Urza's
    """.split()
)
BASIC_LAND_TYPES = LAND_TYPES[:5]
BASIC_MANA = dict(zip(BASIC_LAND_TYPES, "WUBRG", strict=True))  # the mana that each brings (305.6)
SPELL_TYPES = ("Adventure", "Arcane", "Chorus", "Lesson", "Omen", "Trap")
BATTLE_TYPES = ("Siege",)

SUBTYPES = (*CREATURE_TYPES, *ARTIFACT_TYPES, *ENCHANTMENT_TYPES, *LAND_TYPES, *SPELL_TYPES, *BATTLE_TYPES)

_IRREGULAR = {
    "Elves": "Elf", "Dwarves": "Dwarf", "Wolves": "Wolf", "Werewolves": "Werewolf", "Mice": "Mouse", "Oxen": "Ox",
    "Fish": "Fish", "Sheep": "Sheep", "Merfolk": "Merfolk", "Moonfolk": "Moonfolk", "Treefolk": "Treefolk",
    "Children": "Child", "Cyclopes": "Cyclops", "Heroes": "Hero", "Plains": "Plains", "Equipment": "Equipment",
    "Homunculi": "Homunculus", "Fungi": "Fungus", "Octopuses": "Octopus", "Octopi": "Octopus", "Pegasi": "Pegasus",
    "Sphinxes": "Sphinx", "Jellyfish": "Jellyfish", "Samurai": "Samurai", "Eldrazi": "Eldrazi", "Vedalken": "Vedalken",
    "Walrus": "Walrus", "Hippopotami": "Hippo", "Spacecraft": "Spacecraft", "Dauthi": "Dauthi", "Kor": "Kor",
    "Myr": "Myr", "Phyrexian": "Phyrexian", "Foxes": "Fox", "Loci": "Locus", "Nautiluses": "Nautilus",
}  # fmt: skip


def _plural(name: str) -> str:
    """Form the usual plural of a word."""
    if name.endswith(("s", "x", "ch", "sh", "z")):
        return name + "es"
    if name.endswith("y") and name[-2] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"


PLURALS = {_plural(name): name for name in SUBTYPES} | _IRREGULAR
"""The subtype that a plural means."""


def plural(name: str) -> str:
    """Return the plural of a subtype."""
    return next((more for more, one in _IRREGULAR.items() if one == name), _plural(name))


def subtype(word: str) -> str | None:
    """Return the subtype that a capitalised word names, alone or in the plural; None if it names none."""
    return word if word in _KNOWN else PLURALS.get(word)


_KNOWN = frozenset(SUBTYPES)


def type_of(name: str) -> str:
    """Return the card type to which a subtype belongs (205.3); a name that is in no list is a planeswalker's."""
    for kind, names in _LISTS.items():
        if name in names:
            return kind
    return "Planeswalker"


_LISTS = {
    "Creature": frozenset(CREATURE_TYPES),
    "Artifact": frozenset(ARTIFACT_TYPES),
    "Enchantment": frozenset(ENCHANTMENT_TYPES),
    "Land": frozenset(LAND_TYPES),
    "Instant": frozenset(SPELL_TYPES),
    "Battle": frozenset(BATTLE_TYPES),
}
