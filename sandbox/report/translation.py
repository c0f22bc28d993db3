"""A whole report, in the order in which it is read.

Leaves out how it is written: as HTML (html_page.py) or Markdown (markdown_page.py).
"""

from sandbox.report.blocks import Section, Story
from sandbox.report.configurations import configurations
from sandbox.report.costs import costs
from sandbox.report.evidence import evidence
from sandbox.report.findings import diagnosis, slices
from sandbox.report.gaps import missing
from sandbox.report.material import Material
from sandbox.report.matrix import right_and_wrong
from sandbox.report.means import means
from sandbox.report.opening import question, verdict
from sandbox.report.pairs import comparison
from sandbox.report.phrases import HTML_LANGUAGES, Speaker
from sandbox.report.pictures import Album
from sandbox.report.provenance import again, provenance
from sandbox.report.trust import trust


def tell(material: Material, album: Album, say: Speaker) -> Story:
    """The story of some runs, from the question to the command that runs them again."""
    sections: list[Section | None] = [
        missing(material, say),
        configurations(material, say),
        right_and_wrong(material, say),
        comparison(material, say),
        trust(material, say),
        means(material, say),
        diagnosis(material, say),
        slices(material, say),
        costs(material, say),
        evidence(material, album, say),
        provenance(material, say),
        again(material, say),
    ]
    runs = [one.run for one in material.runs]
    corpora = say.listed(list(dict.fromkeys(run.corpus for run in runs)))
    return Story(
        language=HTML_LANGUAGES[say.language],
        title=say("Evaluation of RAG on {0}", corpora),
        question=question(material, say),
        verdict=verdict(material, say),
        facts=_facts(material, say),
        sections=[section for section in sections if section is not None],
        contents=say("Contents"),
        footer=say(
            "Made with rag-sandbox on {0}. Nothing here is loaded from elsewhere.", _made(material)
        ),
        warnings=album.warnings(),
    )


def _facts(material: Material, say: Speaker) -> list[str]:
    runs = [one.run for one in material.runs]
    judges = list(dict.fromkeys(run.judge for run in runs if run.judge))
    models = list(
        dict.fromkeys(run.models["chat_model"] for run in runs if "chat_model" in run.models)
    )
    people = {
        label.labeller
        for one in material.runs
        for cell in one.read.cells.values()
        for label in cell.labels
        if label.source == "person"
    }
    return [
        say("{0} configurations", len(runs)) if len(runs) > 1 else runs[0].configuration,
        say("{0} questions", len(material.cases)),
        say("test set {0}", say.listed(list(dict.fromkeys(run.test_set for run in runs)))),
        *([say("answered by {0}", say.listed(models))] if models else []),
        say("judged by {0}", say.listed(judges)) if judges else say("no judge"),
        say("labelled by {0}", say.listed(sorted(people))) if people else say("no person's label"),
    ]


def _made(material: Material) -> str:
    return material.made.replace("T", " ")[:16]
