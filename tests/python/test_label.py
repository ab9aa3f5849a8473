"""Answers of a person, played by gold."""

import csv
import json

import pytest

import akin


@pytest.fixture(scope="module")
def register(tmp_path_factory):
    """A table with duplicates, its pairs, and the table as a file."""
    people, gold = akin.generate.records(400, duplicates=0.4, seed=5)
    path = tmp_path_factory.mktemp("label") / "people.csv"
    people.save(path)
    return people, {frozenset(pair) for pair in gold}, path


def ask(labels, same, count):
    for _ in range(count):
        question = labels.next()
        labels.answer("yes" if {question.left_id, question.right_id} in same else "no")


def test_answers_teach(register, tmp_path):
    people, same, path = register
    labels = akin.label(people, id="id")
    ask(labels, same, 30)
    assert len(labels.answers) == len({frozenset(answer[:2]) for answer in labels.answers}) == 30
    found = labels.duplicates()
    assert found.stats["learnt"]["answers"] == 30
    pairs = {frozenset(pair) for pair in zip(found["left_id"], found["right_id"], strict=True)}
    for left, right, answer in labels.answers:
        assert ({left, right} in pairs) == (answer == "yes")
    assert len(pairs & same) / len(pairs | same) > 0.95

    labels.save_answers(tmp_path / "answers.csv")
    again = akin.dedupe(path, id="id", answers=tmp_path / "answers.csv")
    assert list(again) == list(found) and again.clusters.to_dict() == found.clusters.to_dict()
    again.save_job(tmp_path / "job.json")
    assert list(akin.run(tmp_path / "job.json")) == list(found)


def test_questions(register):
    people, same, _ = register
    labels = akin.label(people, id="id")
    first = labels.next()
    assert first == labels.next() and 0 <= first.probability <= 1
    assert first.left_record["surname"] == people["surname"][first.left]
    assert first.left_id == people["id"][first.left] and first.right_id == people["id"][first.right]
    assert not labels.undo()
    labels.answer("unsure")
    second = labels.next()
    assert second[:2] != first[:2] and labels.answers == [(first.left_id, first.right_id, "unsure")]
    assert labels.undo() and labels.answers == [] and labels.next() == first
    with pytest.raises(akin.OptionError, match="did you mean yes"):
        labels.answer("yess")


def test_a_labelling_goes_on(register, tmp_path):
    people, same, _ = register
    labels = akin.label(people, id="id")
    ask(labels, same, 12)
    labels.save_answers(tmp_path / "answers.csv")
    with open(tmp_path / "answers.csv", encoding="utf-8", newline="") as file:
        assert [tuple(row.values()) for row in csv.DictReader(file)] == labels.answers
    again = akin.label(people, id="id", answers=tmp_path / "answers.csv", threads=1)
    assert again.answers == labels.answers
    assert again.duplicates().to_dict() == labels.duplicates().to_dict()


def test_models(register, tmp_path):
    people, same, _ = register
    labels = akin.label(people, id="id")
    ask(labels, same, 20)
    labels.save_model(tmp_path / "model.json")
    assert labels.model() == json.loads((tmp_path / "model.json").read_text())
    found = akin.dedupe(people, id="id", model=tmp_path / "model.json")
    assert found.stats["learnt"]["applied"] and found.stats["learnt"]["answers"] == 0
    pairs = {frozenset(pair) for pair in zip(found["left_id"], found["right_id"], strict=True)}
    assert len(pairs & same) / len(pairs | same) > 0.95


def test_two_tables():
    left, right, links = akin.generate.records(250, duplicates=0.5, most_copies=1, linked=True, seed=4)
    same = set(links)
    labels = akin.label(left, right, id="id")
    for _ in range(15):
        question = labels.next()
        labels.answer("yes" if (question.left_id, question.right_id) in same else "no")
    found = labels.duplicates()
    pairs = set(zip(found["left_id"], found["right_id"], strict=True))
    assert len(pairs & same) / len(pairs | same) > 0.95


def test_rules_and_results(register, tmp_path):
    people, same, path = register
    rules = {"compare": ["surname:jaro-winkler", "given_name:jaro-winkler", "date_of_birth:levenshtein"]}
    rules |= {"block": ["surname", "date_of_birth:year"], "id": "id"}
    labels = akin.label(people, **rules)
    ask(labels, same, 10)
    labels.save_answers(tmp_path / "answers.csv")
    found = labels.duplicates(report=tmp_path / "report.html", threshold=0.5)
    assert "<html" in (tmp_path / "report.html").read_text() and found.stats["learnt"]["threshold"] == 0.5
    assert list(labels.duplicates()) == list(
        akin.dedupe(path, **rules, weights="learn", answers=tmp_path / "answers.csv")
    )
    with pytest.raises(TypeError, match="block is an argument of akin.label"):
        labels.duplicates(block="surname")
    partners = akin.label(people, one_to_one=True, **rules).duplicates()
    records = list(partners["left_id"]) + list(partners["right_id"])
    assert len(records) == len(set(records))


def test_refusals(register):
    people, _, _ = register
    columns = {"left": ["rec-0-org"], "right": ["nobody"], "answer": ["yes"]}
    with pytest.raises(akin.InputError, match="no record has the id 'nobody'"):
        akin.dedupe(people, id="id", answers={**columns, "left": [people["id"][0]]})
    with pytest.raises(akin.InputError, match="perhaps"):
        akin.dedupe(people, id="id", answers={"left": [people["id"][0]], "right": [people["id"][1]],
                                              "answer": ["perhaps"]})  # fmt: skip
    with pytest.raises(akin.OptionError, match="answers teach weights"):
        akin.dedupe(people, "surname:exact", window=5, threshold=0.8, answers=columns)
