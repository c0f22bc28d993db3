"""Questions on pages 7 to 11 of the annual report: energy, projects, customers."""

from cases import Question, in_chart, in_picture, in_text

from annual import accounts, facts


def energy_questions() -> list[Question]:
    """Energy, demand, projects, customers."""
    return [*_energy(), *_demand(), *_projects(), *_customers()]


def _energy() -> list[Question]:
    sources = facts.SOURCES
    return [
        in_text(
            [3, 7],
            "energy",
            "How much electricity did the company supply in 2024?",
            f"{facts.SUPPLIED.now} GWh.",
            f"{facts.SUPPLIED.now}",
        ),
        in_chart([7], "How much electricity came from wind?", sources["Wind"], " GWh"),
        in_chart(
            [7],
            "According to Figure 3, how many GWh did solar power contribute?",
            sources["Solar"],
            " GWh",
        ),
        in_text(
            [7],
            "energy",
            "Which source supplied the most electricity?",
            f"Natural gas, with {sources['Natural gas']} GWh.",
            "Natural gas",
        ),
        Question(
            category="comparison",
            source="image",
            text="By how many GWh did hydropower exceed wind?",
            reference=f"By {sources['Hydropower'] - sources['Wind']} GWh (211 - 149).",
            accepted=["62 GWh", "62"],
            pages=[7],
            quotes=["211 GWh", "149 GWh"],
        ),
        in_text(
            [7],
            "energy",
            "How many homes does the heat network at Cullerby serve?",
            "11,240 homes.",
            "11,240|11240",
        ),
        in_text(
            [7],
            "energy",
            "How many public charging points does the company operate?",
            "318.",
            "318",
        ),
    ]


def _demand() -> list[Question]:
    demand = dict(zip(facts.MONTHS, facts.DEMAND, strict=True))
    return [
        in_picture(
            [8],
            "chart peak",
            "What was the highest demand for electricity of the whole year, in MW?",
            f"{demand['Dec']} MW, in December.",
            [f"{demand['Dec']} MW", str(demand["Dec"])],
            ["Dec", str(demand["Dec"])],
        ),
        in_picture(
            [8],
            "chart value",
            "What was the highest demand for electricity in July, in MW?",
            f"{demand['Jul']} MW.",
            [f"{demand['Jul']} MW", str(demand["Jul"])],
            ["Jul", str(demand["Jul"])],
        ),
        in_picture(
            [8],
            "chart value",
            "How many megawatts was the peak demand in February 2024?",
            f"{demand['Feb']} MW.",
            [f"{demand['Feb']} MW", str(demand["Feb"])],
            ["Feb", str(demand["Feb"])],
        ),
        in_text(
            [3, 8],
            "reliability",
            "For how many minutes was a customer without power on average in 2024?",
            f"{facts.INTERRUPTION.now} minutes.",
            f"{facts.INTERRUPTION.now}",
        ),
        in_text(
            [8],
            "reliability",
            "How many minutes of interruption did the gale of 21 October cause?",
            "3.8 minutes.",
            "3.8 minutes|3.8",
        ),
        in_text(
            [8],
            "reliability",
            "How long is the overhead line network?",
            "872 kilometers.",
            "872 kilometers|872 km|872",
        ),
    ]


def _projects() -> list[Question]:
    projects = {project.code: project for project in accounts.PROJECTS}

    def cell(page: int, text: str, code: str, answer: str) -> Question:
        entry = projects[code]
        row = f"{entry.code} {entry.name} {entry.district} {entry.budget} {entry.spent}"
        return Question(
            category="table over two pages",
            text=text,
            reference=f"EUR {answer} million." if answer[0].isdigit() else f"{answer}.",
            accepted=[answer],
            pages=[page],
            quotes=[f"{row} {entry.ready}"],
        )

    return [
        cell(9, "What is the budget of the Lowfold filter renewal?", "W-101", "18.4"),
        cell(9, "How much was spent on phase 2 of the mains renewal in 2024?", "W-109", "2.2"),
        cell(9, "When will Hollin hydropower turbine 3 be ready?", "E-202", "Q2 2026"),
        cell(9, "In which district is project W-110?", "W-110", "Sallow Bridge"),
        cell(10, "What is the budget of the substation Cullerby east?", "E-207", "10.8"),
        cell(10, "How many EUR million were spent on the cable renewal of the 20 kV ring in 2024?",
             "E-208", "2.8"),
        cell(10, "When is lot 2 of the switchgear renewal to be ready?", "E-214", "Q3 2026"),
        in_text(
            [9],
            "investment",
            "How much of the capital investment went into energy?",
            "EUR 35.1 million.",
            "35.1 million|35.1",
        ),
        in_text(
            [9],
            "investment",
            "Why is the spillway of the Stennock dam delayed?",
            "Because the rock was worse than expected.",
            "the rock was worse|rock",
        ),
        in_text(
            [10],
            "investment",
            "What is the value of the largest contract that was placed?",
            "EUR 15.7 million, for the Lowfold filters.",
            "15.7 million|15.7",
        ),
    ]  # fmt: skip


def _customers() -> list[Question]:
    causes = facts.CAUSES
    return [
        in_text(
            [11],
            "customers",
            "How many written complaints were received in 2024?",
            f"{facts.COMPLAINTS.now}.",
            "4,620|4620",
        ),
        in_text(
            [11],
            "customers",
            "How long did a caller wait on average?",
            "74 seconds.",
            "74 seconds|74 s|74",
        ),
        in_text(
            [11],
            "customers",
            "What compensation does a customer get after more than twelve hours without water?",
            "EUR 30.",
            "EUR 30|30 EUR|€30|30 euros",
        ),
        in_picture(
            [11],
            "chart value",
            "How many power interruptions were caused by equipment failure?",
            f"{causes['Equipment failure']}.",
            [str(causes["Equipment failure"])],
            ["Equipment failure", str(causes["Equipment failure"])],
        ),
        in_picture(
            [11],
            "chart value",
            "How many interruptions does Figure 5 show for tree contact?",
            f"{causes['Tree contact']}.",
            [str(causes["Tree contact"])],
            ["Tree contact", str(causes["Tree contact"])],
        ),
        in_picture(
            [11],
            "chart value",
            "How often was third-party damage the cause of an interruption?",
            f"{causes['Third-party damage']} times.",
            [str(causes["Third-party damage"])],
            ["Third-party damage", str(causes["Third-party damage"])],
        ),
    ]
