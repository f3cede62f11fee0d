"""Playing scenarios: what a step means, what is refused, what is told of a failure."""

from __future__ import annotations

import random
import textwrap

import pytest

from rulekit import rules
from rulekit.engine.game import Game
from rulekit.engine.position import position
from rulekit.rules import BadData
from rulekit.scenarios.report import Result
from rulekit.scenarios.scenario import BANK, Scenario
from tests.random_play import deal

SWORD = """
  Alice:
    battlefield:
      - {card: Grizzly Bears, as: bears}
      - {card: Sword of Body and Mind, as: sword, attached to: bears}
"""
ANY = "turn.number: 1"


def play(given: str, do: str, expect: str = ANY, top: str = "") -> Result:
    """Play a scenario of these parts."""
    parts = [f"title: a test\nrules: []\n{top}", "given:", textwrap.indent(textwrap.dedent(given).strip("\n"), "  ")]
    parts += ["do:", textwrap.indent(textwrap.dedent(do).strip("\n"), "  ")]
    parts += ["expect:", textwrap.indent(textwrap.dedent(expect).strip("\n"), "  ")]
    return Scenario.read_text("\n".join(parts) + "\n").play()


def passes(given: str, do: str, expect: str = ANY) -> None:
    result = play(given, do, expect)
    assert "passed" == result.status, str(result)


def fails(given: str, do: str, expect: str = ANY) -> Result:
    result = play(given, do, expect)
    assert "failed" == result.status
    assert result.counts_as_failed
    return result


# ---------------------------------------------------------------- answers


def test_a_decision_that_no_step_answers_is_an_error() -> None:
    result = fails("Alice: {graveyard: [Stinkweed Imp], library: [5 Forest]}", "- instruct: {draw: 1, player: Alice}")

    assert ("every decision is answered",) == result.expected
    assert "Alice is asked (may)" in result.found[0]


def test_a_decision_that_the_end_expects_may_stay_open() -> None:
    passes(
        "Alice: {graveyard: [Stinkweed Imp], library: [5 Forest]}",
        "- instruct: {draw: 1, player: Alice}",
        "decision: {player: Alice, kind: may, options: [yes, no]}",
    )


def test_a_step_does_not_pass_over_an_open_decision() -> None:
    do = "- instruct: {draw: 1, player: Alice}\n- pass\n- choose: yes"

    assert (
        "something must be answered first"
        in fails("Alice: {graveyard: [Stinkweed Imp], library: [5 Forest]}", do).found[0]
    )


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ("choose: yes", "nothing is asked"),
        ("{cast: Lightning Bolt, targets: [Bob], gift: Bob}", "nobody asks for gift: [Bob]"),
        ("{cast: Lightning Bolt, targets: [Bob, bears]}", "Illegal (601.2c)"),
        ("{cast: Lightning Bolt, targets: [Bob], discard: Island}", "nobody asks for discard"),
        ("{cast: Lightning Bolt, targets: [Bob], x: 3}", "nobody asks for x"),
        ("{cast: Lightning Bolt}", "Alice is asked (choose target)"),
        ("{cast: Hill Giant}", "Alice cannot cast Hill Giant: it is on the battlefield"),
        ("{cast: Lightning Bolt, targets: [Bob], by: Bob}", "Illegal (117.1)"),
        ("resolve", "the stack is empty"),
        ("go to: upkeep", "it was not reached"),
        ("block: {bears: Hill Giant}", "Illegal (509.1a)"),
    ],
)
def test_an_answer_that_nobody_asked_for_is_an_error(step: str, found: str) -> None:
    given = """
      Alice: {battlefield: [{card: Grizzly Bears, as: bears}], hand: [Lightning Bolt, Island]}
      Bob: {battlefield: [Hill Giant]}
    """
    assert found in fails(given, f"- {step}").found[0]


def test_one_legal_target_need_not_be_named() -> None:
    passes(
        "Alice: {battlefield: [{card: Grizzly Bears, as: bears}, {card: Bonesplitter, as: axe}]}",
        "- {activate: axe, ability: equip}\n- resolve",
        "axe.attached to: bears",
    )


def test_damage_is_divided_beside_the_targets() -> None:
    """601.2d; of two damage for two targets each gets one, and nobody is asked."""
    given = "Alice: {hand: [Fire // Ice]}\nBob: {battlefield: [Memnite]}"
    fire = "- {cast: Fire, targets: [Bob, Memnite]}\n- resolve"

    passes(given, fire, "Bob.life: 19\nMemnite.zone: graveyard")
    passes(given, fire.replace("]}", "], divide: [1, 1]}"), "Bob.life: 19\nMemnite.zone: graveyard")
    fails(given, fire.replace("]}", "], divide: [2, 0]}"))


def test_a_name_that_fits_several_means_any_one_of_them() -> None:
    passes(
        "Alice: {hand: [Lightning Bolt]}\nBob: {battlefield: [3 Memnite]}",
        "- {cast: Lightning Bolt, targets: [Memnite]}\n- resolve",
        "Bob.battlefield: {count: 2, of: Memnite}",
    )


def test_a_label_follows_its_card_through_every_zone() -> None:
    """400.7"""
    passes(
        "Alice: {hand: [{card: Memnite, as: small}, Unsummon, Memnite]}",
        """
        - cast: small
        - expect: {small.zone: stack}
        - resolve
        - expect: {small.zone: battlefield}
        - {cast: Unsummon, targets: [small]}
        - resolve
        """,
        "small.zone: hand\nAlice.hand: [Memnite, Memnite]",
    )


# ---------------------------------------------------------------- refusals


def test_a_refusal_must_cite_the_rule_that_is_named() -> None:
    given = f"{SWORD}    hand: [Giant Growth]"
    right = "- {illegal: {cast: Giant Growth, targets: [bears]}, because: '702.16b'}"

    passes(given, right)
    result = fails(given, right.replace("702.16b", "702.11b"))
    assert "refused because of 702.11b" in result.expected[0]
    assert "refused because of 702.16b" in result.found[0]


def test_what_is_legal_is_not_refused() -> None:
    result = fails("Alice: {hand: [Memnite]}", "- illegal: {cast: Memnite}")

    assert ("it is legal",) == result.found


def test_a_refused_step_changes_nothing() -> None:
    """733.1"""
    passes(
        "Alice: {mana: '{1}', hand: [Lightning Bolt], battlefield: [Memnite]}",
        """
        - illegal: {cast: Lightning Bolt, targets: [Bob]}
          because: "118.3"
        - illegal: {attack: {Memnite: Alice}}
        - expect: {Alice.mana: 1, Alice.hand: [Lightning Bolt], stack: [], turn.step: precombat main, priority: Alice}
        """,
    )


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        ("attack: {new: Bob}", "302.6"),
        ("attack: {tired: Bob}", "508.1a"),
        ("attack: {theirs: Bob}", "508.1a"),
        ("attack: {axe: Bob}", "508.1a"),
        ("attack: {old: Alice}", "508.1b"),
    ],
)
def test_an_attack_is_refused_by_its_rule(step: str, rule: str) -> None:
    given = """
      Alice:
        battlefield:
          - {card: Memnite, as: new, summoning sick: true}
          - {card: Memnite, as: tired, tapped: true}
          - {card: Memnite, as: old}
          - {card: Bonesplitter, as: axe}
      Bob: {battlefield: [{card: Memnite, as: theirs}]}
    """
    passes(given, f"- {{illegal: {{{step}}}, because: '{rule}'}}\n- attack: {{old: Bob}}")


def test_a_step_that_is_illegal_without_illegal_tells_the_refusal() -> None:
    result = fails("Alice: {mana: lands, hand: [Lightning Bolt]}", "- {cast: Lightning Bolt, targets: [Bob]}")

    assert result.found[0].startswith("Illegal (118.3)")
    assert 7 == result.differences[0].line


# ---------------------------------------------------------------- how far steps go


def test_go_to_skips_attacks_blocks_and_discards_the_last_cards() -> None:
    """514.1"""
    passes(
        "Alice: {battlefield: [Grizzly Bears], hand: [7 Island, Forest, Swamp]}",
        "- go to: next turn",
        "Alice.graveyard: [Forest, Swamp]\nAlice.hand: 7\nBob.life: 20\nturn.step: upkeep\nturn.active: Bob",
    )


def test_go_to_a_step_of_a_player_passes_over_turns() -> None:
    passes("Bob: {library: [Island, Forest]}", "- go to: Bob draw", "Bob.hand: [Island]\nturn.number: 2\npriority: Bob")
    passes("Alice: {life: 20}", "- go to: Alice next upkeep", "turn.number: 3\nturn.active: Alice")


def test_a_second_go_to_combat_damage_is_the_second_damage_step() -> None:
    """510.4"""
    passes(
        "Alice: {battlefield: [{card: Boros Swiftblade, as: blade}]}",
        """
        - attack: {blade: Bob}
        - go to: combat damage
        - expect: {Bob.life: 19, turn.step: combat damage}
        - go to: combat damage
        """,
        "Bob.life: 18\nturn.step: combat damage",
    )


def test_no_attack_means_no_damage_step() -> None:
    """508.8"""
    passes("Alice: {battlefield: [Grizzly Bears]}", "- attack: {}\n- go to: end of combat", "Bob.life: 20")
    fails("Alice: {battlefield: [Grizzly Bears]}", "- attack: {}\n- go to: combat damage")


def test_what_waited_for_an_answer_goes_on_after_it() -> None:
    given = "Alice: {battlefield: [Sigarda's Aid, Grizzly Bears], hand: [Bonesplitter]}"

    passes(
        given,
        "- cast: Bonesplitter\n- resolve all\n- choose: yes",
        "stack: []\nBonesplitter.attached to: Grizzly Bears",
    )


def test_after_the_end_of_the_game_only_expectations_may_follow() -> None:
    given = "Alice: {hand: [2 Lightning Bolt]}\nBob: {life: 3}"
    bolt = "- {cast: Lightning Bolt, targets: [Bob]}\n- resolve\n"

    passes(given, f"{bolt}- resolve\n- go to: end\n- expect: {{Bob.lost: true}}", "Alice.won: true\ndecision: nothing")
    assert "the game is over" in fails(given, f"{bolt}- pass").found[0]


# ---------------------------------------------------------------- the order of triggers

SCRAPSHOOTER = "Alice: {hand: [Scrapshooter]}\nBob: {battlefield: [Sol Ring]}"
PROMISED = "- {cast: Scrapshooter, gift: Bob}\n- resolve\n"


@pytest.mark.parametrize(("first", "hand"), [("gift, destroy", 1), ("destroy, gift", 0)])
def test_the_first_of_the_list_resolves_first(first: str, hand: int) -> None:
    """603.3b"""
    passes(SCRAPSHOOTER, f"{PROMISED}- choose: [{first}]\n- resolve", f"Bob.hand: {hand}\nBob.battlefield: {hand}")


def test_an_order_that_is_not_given_is_that_of_the_text() -> None:
    """603.3b; the gift is printed first."""
    passes(
        SCRAPSHOOTER,
        f"{PROMISED}- expect: {{decision: nothing}}\n- resolve",
        "Bob.hand: 1\nBob.battlefield: [Sol Ring]",
    )
    passes(SCRAPSHOOTER, f"{PROMISED}- resolve all", "Bob.hand: 1\nBob.battlefield: 0")


def test_a_trigger_that_is_not_there_is_told() -> None:
    assert "no trigger is called 'tap'" in fails(SCRAPSHOOTER, f"{PROMISED}- choose: [gift, tap]\n- resolve").found[0]


# ---------------------------------------------------------------- expectations


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ("Bob.library: 3", "Bob.library: 2"),
        ("Bob.library: [Forest, Island]", "Bob.library: [Island, Forest]"),
        ("Bob.graveyard: {has: [Forest]}", "Bob.graveyard: []"),
        ("Alice.battlefield: {lacks: [Grizzly Bears]}", "Alice.battlefield: [Grizzly Bears, Sword of Body and Mind]"),
        ("Alice.battlefield: {count: 2, of: Grizzly Bears}", "Alice.battlefield: {count: 1, of: Grizzly Bears}"),
        ("bears.power: 2", "bears.power: 4"),
        ("bears.colors: [blue]", "bears.colors: [green]"),
        ("bears.zone: graveyard", "bears.zone: battlefield"),
        ("bears.counters: {+1/+1: 1}", "bears.counters: {}"),
        ("sword.attached to: nothing", "sword.attached to: bears"),
        ("priority: Bob", "priority: Alice"),
        ("next turn: Alice", "next turn: Bob"),
        ("decision: {kind: may}", "decision: nothing"),
        ("stack: [sword trigger]", "stack: []"),
        ("events: [milled]", "events: []"),
        ("Wolf.zone: battlefield", "Wolf.zone: no card or permanent is called 'Wolf'."),
    ],
)
def test_what_is_found_instead_is_told(expect: str, found: str) -> None:
    result = fails(f"{SWORD}  Bob: {{library: [Island, Forest]}}", "[]", expect)

    assert (expect,) == result.expected
    assert result.found[0].startswith(found)


def test_every_difference_of_one_expectation_is_told() -> None:
    result = fails(SWORD, "- expect: {bears.power: 1, bears.toughness: 1, Bob.life: 20}\n- pass")

    assert ("bears.power: 1", "bears.toughness: 1") == result.expected


def test_events_are_looked_for_in_order_with_their_details() -> None:
    given = f"{SWORD}  Bob: {{library: [Island, Forest]}}"
    hit = "- attack: {bears: Bob}\n- go to: combat damage\n- resolve"

    passes(given, hit, "events: [damage, {damage: 4, to: Bob, from: bears}, token created]".replace("damage, ", "", 1))
    passes(given, hit, "events: [{token created: [Wolf], player: Alice}, {milled: [Island, Forest], player: Bob}]")
    fails(given, hit, "events: [milled, token created]")
    fails(given, hit, "events: [{milled: [Forest, Island]}]")
    fails(given, hit, "events: [{milled: [Island, Forest], player: Alice}]")


def test_what_a_player_could_do_is_told_by_verb_and_name() -> None:
    given = "Alice: {battlefield: [{card: Bonesplitter, as: axe}, Memnite], hand: [Island, Murder]}"

    passes(given, "[]", "legal: {Alice: {has: [play Island, activate axe equip, cast Murder], lacks: [cast Island]}}")
    fails(given, "[]", "legal: {Bob: {has: [cast Murder]}}")


# ---------------------------------------------------------------- reports


def test_a_disputed_scenario_is_played_and_not_counted_as_failed() -> None:
    result = play("Bob: {life: 20}", "[]", "Bob.life: 19", "disputed: 103.4 gives twenty")

    assert "disputed" == result.status
    assert not result.counts_as_failed
    assert "103.4 gives twenty" in str(result)


def test_a_failure_tells_file_line_expected_found_and_the_log_with_rules() -> None:
    result = fails(SWORD, "- attack: {bears: Bob}\n- go to: combat damage\n- resolve", "Bob.library: 11")

    told = str(result)
    assert told.startswith("scenario: failed")
    assert "expected: Bob.library: 11" in told
    assert "found: Bob.library: 10" in told
    assert any(line.startswith("701.17a") for line in result.log)
    assert all(rules.known(line.split()[0]) for line in result.log), result.log


@pytest.mark.parametrize(
    ("step", "instead"),
    [
        ("cast: Unsummon, targets: [Sol Ring]", "Alice may: Wind Drake, bears, Hill Giant."),
        ("activate: Bonesplitter, targets: [Sol Ring]", "Alice may: Wind Drake, bears."),
        ("cast: Giant Growth, targets: [Bob]", "Alice may: Wind Drake, bears, Hill Giant."),
        ("cast: Grizzly Bears", "Alice may: pass, cast Unsummon, cast Giant Growth, "),
        ("cast: Shatter, targets: [Sol Ring], by: Bob", "Alice may act, or pass so that the next player may."),
        ("block: {Hill Giant: Wind Drake}", "Bob may: no."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_could_be_done_instead(step: str, instead: str) -> None:
    """733.1: what was begun is undone, so that what could be done before can be done again."""
    given = """
      Alice:
        hand: [Unsummon, Giant Growth]
        battlefield: [Wind Drake, Bonesplitter, {card: Grizzly Bears, as: bears}]
      Bob: {hand: [Shatter], battlefield: [Hill Giant, Sol Ring]}
    """
    before = "- attack: {Wind Drake: Bob}\n" if "block" in step else ""

    assert instead in fails(given, f"{before}- {{{step}}}").found[0]


def test_a_refusal_where_nothing_may_be_answered_says_what_could_be_done_before() -> None:
    """733.1: an Unsummon without a legal target was begun in vain."""
    result = fails(
        "Alice: {hand: [Unsummon, Island], battlefield: [Sol Ring]}", "- {cast: Unsummon, targets: [Sol Ring]}"
    )

    assert "Alice may: pass, play Island, activate Sol Ring" in result.found[0]


def test_playing_twice_gives_the_same() -> None:
    scenario = Scenario.read(BANK / "mill" / "616.1-the-milling-player-chooses-the-order.yaml")

    assert scenario.play().log == scenario.play().log


# ---------------------------------------------------------------- from a game


def recorded(result: Result) -> Scenario:
    assert result.game is not None
    return Scenario.from_game(result.game)


@pytest.mark.parametrize(
    "said",
    [
        "{mill: 1, player: Bob}", "{draw: 1, player: Bob}", "{surveil: 1, player: Bob}", "{scry: 1, player: Bob}",
        "{destroy: bears}", "{exile: bears}", "{return to hand: bears}", "{sacrifice: bears}",
        "{phase out: bears}",
        "{gain control: bears, player: Bob}", "{create: Wolf, player: Bob}", "{set types: bears, types: [Artifact]}",
        "{set types: bears, types: [Artifact, Creature]}", "{set colors: bears, colors: [blue, red]}",
        "{set colors: bears, colors: []}", "{add ability: bears, ability: flying}",
        "{add ability: bears, ability: 'equip {2}'}", "{add ability: bears, ability: '{T}: gain 1 life'}",
        "{attach: axe, to: bears}", "{deal damage: 2, to: Bob}", "{shuffle: Bob}", "{leave game: Bob}",
        "{deal damage: 2, to: Bob, combat: true, from: bears}",
    ],
)  # fmt: skip
def test_each_instruction_of_a_game_is_written_as_it_was_given(said: str) -> None:
    given = "Alice: {battlefield: [{card: Grizzly Bears, as: bears}, {card: Bonesplitter, as: axe}]}"
    answer = "" if "surveil" not in said and "scry" not in said else "\n- choose: Filler"
    result = play(given, f"- instruct: {said}{answer}")
    assert result.scenario is not None

    assert result.scenario.do[0].value == recorded(result).do[0].value


def test_a_spell_that_an_instruction_counters_is_written() -> None:
    given = "Alice: {hand: [Lightning Bolt]}"
    steps = "- {cast: Lightning Bolt, targets: [Bob]}\n- instruct: {counter spell: Lightning Bolt}"

    assert {"counter spell": "Lightning Bolt"} == recorded(play(given, steps)).do[1].value


def test_an_empty_pool_of_mana_is_written_as_no_mana() -> None:
    scenario = recorded(play("Alice: {mana: '{0}', hand: [Lightning Bolt]}", "- pass"))

    assert "{0}" == scenario.given.zones["Alice"]["mana"]


def test_cards_of_one_name_get_labels_only_where_something_refers_to_them() -> None:
    given = "Alice: {hand: [2 Forest]}\nBob: {library: [4 Island]}"
    scenario = recorded(play(given, "- instruct: {mill: 2, player: Bob}\n- play: Forest"))

    assert "library: [4 Island]" in scenario.text
    assert "{card: Forest, as: Forest 1}" in scenario.text


def test_a_label_that_stands_already_is_not_given_to_another() -> None:
    given = "Alice: {hand: [{card: Swamp, as: Forest 1}, 2 Forest]}"
    scenario = recorded(play(given, "- play: Forest"))

    assert "Forest 2" == scenario.do[0].value


TWO_WOLVES = "- instruct: {create: Wolf, player: Alice}\n- instruct: {create: Wolf, player: Alice}\n"


def test_the_second_of_two_tokens_is_meant_by_its_number() -> None:
    steps = "- activate: Bonesplitter\n  targets: ['Wolf #2']\n- resolve\n- instruct: {destroy: 'Wolf #1'}"

    passes("Alice: {battlefield: [Bonesplitter]}", TWO_WOLVES + steps, "Alice.battlefield: [Bonesplitter, Wolf]")
    passes("Alice: {battlefield: [Bonesplitter]}", TWO_WOLVES + steps, "Bonesplitter.attached to: 'Wolf #2'")


def test_a_game_with_tokens_and_copies_of_one_name_is_written_so_that_each_is_meant() -> None:
    """What is given gets a label, what is made is counted; a token that is given is not among those counted."""
    given = "Alice: {battlefield: [Bonesplitter, {card: Wolf, token: true}]}"
    steps = TWO_WOLVES + "- activate: Bonesplitter\n  targets: ['Wolf #3']\n- resolve"
    scenario = recorded(play(given, steps))

    assert ("Wolf #2",) == scenario.do[2].beside["targets"]
    assert "as: Wolf 1" in scenario.text


def test_what_cards_are_called_makes_no_decision_of_one_more() -> None:
    """616.1: three Islands that move together are three Islands, whatever somebody calls them."""
    given = """
      Alice:
        battlefield: [Rest in Peace, {card: Wheel of Sun and Moon, attached to: Bob}]
      Bob:
        library: [{card: Island, as: first}, {card: Island, as: second}, Swamp]
    """
    steps = "- instruct: {mill: 2, player: Bob}\n- choose: Rest in Peace"

    passes(given, steps, "Bob.exile: [Island, Island]")


def test_a_process_ends_as_soon_as_all_stands_as_it_stood_before() -> None:
    """Five cards that go to the bottom instead lie as before after five: nothing of it is played a hundred times."""
    given = """
      Alice: {battlefield: [Helm of Obedience]}
      Bob:
        library: [Island, Forest, Swamp, Plains, Mountain]
        battlefield: [{card: Wheel of Sun and Moon, attached to: Bob}]
    """
    result = play(given, "- {activate: Helm of Obedience, x: 2, targets: [Bob]}\n- resolve", "Bob.graveyard: 0")
    assert result.game is not None

    assert "passed" == result.status, str(result)
    assert 5 == sum(event.kind == "milled" for event in result.game.log)


def test_a_library_is_written_in_the_order_in_which_it_was_found_to_lie() -> None:
    """A library that nobody had looked at lies as chance decided, once it was milled."""
    state = position(Bob={"library": ["Island", "Forest", "Swamp", "Plains", "Mountain"]})
    bob = state.players["Bob"].but(unknown=(0, 5))
    game = Game(state.but(players={**state.players, "Bob": bob}), chance=3).do("mill", "Bob", 4)

    assert "passed" == Scenario.from_game(game).play().status


def test_a_position_in_the_middle_of_something_is_refused() -> None:
    result = play("Alice: {hand: [Lightning Bolt]}", "- {cast: Lightning Bolt, targets: [Bob]}")
    assert result.game is not None

    with pytest.raises(BadData, match="something on the stack"):
        Scenario.from_game(Game(result.game.state))


def test_a_card_that_the_catalogue_lacks_is_written_with_the_scenario() -> None:
    own = "cards: {Odd Thing: {cost: '{1}', types: Artifact, abilities: [{activated: '{T}: you gain 1 life'}]}}"
    scenario = recorded(play(f"{own}\nAlice: {{battlefield: [Odd Thing]}}", "- activate: Odd Thing\n- resolve"))

    assert "Odd Thing:" in scenario.text
    assert "passed" == Scenario.read_text(scenario.text).play().status


@pytest.mark.parametrize("seed", range(8))
def test_a_random_game_is_written_as_a_scenario_that_passes(seed: int) -> None:
    """Also one that begins with triggers on the stack, and one in which a library is shuffled."""
    dice = random.Random(f"recorded {seed}")
    game = deal(seed)
    for _ in range(40):
        if game.decision is None:
            break
        game = game.decide(dice.choice(game.decision.options))

    assert "passed" == Scenario.from_game(game).play().status


SHUFFLED = "Bob: {library: [Island, Forest, Swamp]}"


@pytest.mark.parametrize(
    ("names", "status", "found"),
    [
        ("[Swamp, Island]", "passed", ""),
        ("[Swamp, Island, Forest]", "failed", "nothing more was left to chance"),
        ("[Swamp, Swamp]", "failed", "'Swamp'"),
    ],
)
def test_what_chance_decides_can_be_said_beforehand(names: str, status: str, found: str) -> None:
    """701.24a: nobody knows the order of a shuffled library; too many names and those that cannot come up are told."""
    do = f"- instruct: {{shuffle: Bob}}\n- at random: {names}\n- instruct: {{mill: 2, player: Bob}}"
    result = play(SHUFFLED, do, "{Bob.graveyard: [Island, Swamp]}" if status == "passed" else "{Bob.life: 20}")

    assert status == result.status
    assert found in "".join(result.found)
