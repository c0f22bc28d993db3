"""Questions on pages 12 to 18 of the annual report: people, notice, accounts, appendices."""

from cases import Question, in_picture, in_text

from annual import accounts, facts


def account_questions() -> list[Question]:
    """People, the scanned notice, accounts, outlook, other years, districts."""
    return [*_people(), *_notice(), *_finance(), *_outlook(), *_statistics(), *_districts()]


def _people() -> list[Question]:
    return [
        in_text(
            [12],
            "table",
            "How many posts are there in energy operations?",
            f"{facts.DIVISIONS[1].posts}.",
            f"{facts.DIVISIONS[1].posts}",
        ),
        in_text(
            [12],
            "people",
            "How many apprentices did the company have?",
            "87.",
            "87",
        ),
        Question(
            category="table",
            text="Which division had the most training days per head?",
            reference="Energy operations, with 5.1 days.",
            accepted=["Energy operations"],
            pages=[12],
            quotes=["Energy operations 487 2 5.1"],
        ),
        in_text(
            [12],
            "environment",
            "How many fish were counted at the Pellan weir?",
            "2,640 in the first season.",
            "2,640|2640",
        ),
        in_text(
            [12],
            "environment",
            "What share of the sludge went to biogas plants?",
            "83 per cent.",
            "83 per cent|83 percent|83%|83 %",
        ),
    ]


def _notice() -> list[Question]:
    notice = accounts.NOTICE

    def clause(text: str, key: str, *others: str) -> Question:
        value = notice[key]
        return in_picture([13], "scanned page", text, f"{value}.", [value, *others], [value])

    return [
        clause(
            "By how much may average household charges rise at most in 2025?",
            "charge rise",
            "2.65%",
            "2.65 percent",
            "2.65",
        ),
        clause(
            "What penalty falls due if leakage exceeds the regulator's limit?",
            "penalty",
            "1.35 million",
            "€1.35 million",
        ),
        clause(
            "Which leakage limit does the notice of determination set for 2025?",
            "leakage limit",
            "47.0",
            "47 million liters",
        ),
        clause(
            "What reserve margin does the regulator require?",
            "reserve margin",
            "12.5%",
            "12.5 percent",
            "12.5",
        ),
        clause(
            "By when must the plan for the replacement of lead service pipes be filed?",
            "deadline",
            "August 29, 2025",
            "29 August",
        ),
        clause(
            "Within what time may an objection against the notice be lodged?",
            "objection",
            "6 weeks",
        ),
    ]


def _finance() -> list[Question]:
    rows = {account.name: account for account in accounts.ACCOUNTS}
    return [
        in_text(
            [14],
            "finance",
            "What was the net result of 2024?",
            f"EUR {rows['Net result'].now} million.",
            "43.3 million|43.3",
        ),
        in_text(
            [14],
            "table",
            "How high was depreciation in 2023?",
            f"EUR {rows['Depreciation'].before} million.",
            f"{rows['Depreciation'].before}",
        ),
        in_text(
            [14],
            "table",
            "How much did the company earn from electricity sales in 2024?",
            f"EUR {rows['Electricity sales'].now} million.",
            f"{rows['Electricity sales'].now}",
        ),
        in_text(
            [14],
            "finance",
            "How much is paid to the six municipalities?",
            "EUR 12.0 million.",
            "12.0 million|12 million",
        ),
    ]


def _outlook() -> list[Question]:
    return [
        in_text([15], "target", "What is the leakage target for 2030?",
                "36.5 million liters a day.", "36.5"),
        in_text([15], "target", "Which share of renewable electricity is aimed at for 2030?",
                "72 per cent.", "72|72%|72 per cent"),
        in_text([15], "outlook", "How much is to be invested in 2025?",
                "EUR 91 million.", "EUR 91 million|91 million"),
        in_text([15], "outlook", "What happened at a substation on 16 January 2025?",
                "A fire damaged a transformer.", "fire"),
    ]  # fmt: skip


def _statistics() -> list[Question]:
    asked = (
        (16, 2023, facts.COMPLAINTS, "How many written complaints were there in 2023?"),
        (16, 2023, facts.DELIVERED, "How much water was delivered in 2023, in million m³?"),
        (16, 2022, facts.BURSTS, "How many burst mains were there in 2022?"),
        (16, 2022, facts.RENEWABLE, "What was the renewable share in 2022?"),
        (16, 2022, facts.BILL, "How high was the average household bill in 2022?"),
        (17, 2021, facts.SUPPLIED, "How many GWh of electricity were supplied in 2021?"),
        (17, 2021, facts.INVESTMENT, "What was the capital investment of 2021, in EUR million?"),
        (17, 2020, facts.CUSTOMERS, "How many water customers were connected in 2020?"),
        (17, 2020, facts.INTERRUPTION, "What was the supply interruption per customer in 2020?"),
    )
    return [
        Question(
            category="other year",
            text=text,
            reference=f"{_with_unit(entry, year)}.",
            accepted=list(dict.fromkeys([entry.of(year), entry.of(year).replace(",", "")])),
            pages=[page],
            quotes=[f"{entry.name} {entry.unit} {entry.of(year)}"],
        )
        for page, year, entry, text in asked
    ]


def _with_unit(entry: facts.Statistic, year: int) -> str:
    value = entry.of(year)
    if entry.unit.startswith("EUR"):
        return f"EUR {value}{entry.unit.removeprefix('EUR')}"
    return f"{value} per cent" if entry.unit == "%" else f"{value} {entry.unit}"


def _districts() -> list[Question]:
    rows = {district.name: district for district in accounts.DISTRICTS}
    return [
        Question(
            category="district",
            text=text,
            reference=f"{answer}.",
            accepted=list(dict.fromkeys([answer, answer.replace(",", "")])),
            pages=[18],
        )
        for text, answer in (
            (
                "How many water customers did Thornhythe have in 2024?",
                f"{rows['Thornhythe'].customers[1]:,}",
            ),
            (
                "How many water customers did Thornhythe have in 2023?",
                f"{rows['Thornhythe'].customers[0]:,}",
            ),
            ("How many mains burst in Marsh Row in 2023?", str(rows["Marsh Row"].bursts[0])),
            ("How long are the mains in Upper Ostrey, in kilometers?", "1,042"),
        )
    ]
