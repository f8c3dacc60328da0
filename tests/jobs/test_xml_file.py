"""XML after ANON's definition file: its five sections, its kinds of attributes, its trees of values."""

from pathlib import Path
from textwrap import dedent

import pytest
from lxml import etree

from incrowd import hierarchies
from incrowd.core.schema import Nulls
from incrowd.errors import JobError, UsageError
from incrowd.jobs import Job
from jobs.faulty import told
from jobs.test_round_trips import xml_schema

ANON = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- The running example of the report: 4-anonymous and 3-diverse. -->
<ANON>
  <Parameters>
    <k>4</k>
    <max_supp> 4 </max_supp>
    <search type="best_first"/>
    <missing handling="basic"><null_string value="NULL"/><null_string value=""/></missing>
    <report record="private.json" mapping="mapping.csv"/>
  </Parameters>
  <Datasource delimiter=","><source location="microdata.csv"/><source location="more.csv"/></Datasource>
  <Output location="anonymous.csv" replace="true"/>
  <Attributes>
    <ignore name="Name"/>
    <k-attribute name="ZIP" priority="3" limit="2"/>
    <k-attribute name="Age" priority="2.5"/>
    <k-attribute name="Sex"/>
    <l-attribute name="Condition">
      <l-diversity type="distinct" l="3"/>
      <l-diversity type="recursive" c="2" l="2"/>
    </l-attribute>
    <l-attribute name="a+b"><l-diversity type="entropy" l="1.5"/></l-attribute>
    <dontcare name="Year"/>
    <identifier name="Number"/>
  </Attributes>
  <GeneralizationHierarchies>
    <hierarchy attribute="ZIP" by="mask:steps=1/2"/>
    <hierarchy attribute="Age"><level loss="0"/><level loss="0.4"/><level loss="1"/></hierarchy>
    <hierarchy attribute="Sex">
      <level loss="0"/>
      <level loss="1"/>
      <value name="*">
        <value name="F"/>
        <value name="M"/>
      </value>
    </hierarchy>
    <hierarchy attribute="Condition">
      <value name="*">
        <value name="Cancer"/>
        <value name="infection">
          <value name="Flu"/>
          <value name="Hepatitis"/>
        </value>
      </value>
    </hierarchy>
  </GeneralizationHierarchies>
</ANON>
"""


def read(folder: Path, text: str) -> Job:
    """The job of an XML text."""
    path = folder / "job.xml"
    path.write_text(text, encoding="utf-8")
    return Job.from_file(path)


def test_a_definition_file(tmp_path: Path) -> None:
    xml_schema().assertValid(etree.fromstring(ANON.encode()))
    job = read(tmp_path, ANON)
    assert job.to_dict() == {
        "data": {"source": ["microdata.csv", "more.csv"], "missing": ["NULL", ""], "delimiter": ","},
        "output": {"to": "anonymous.csv", "replace": True, "record": "private.json", "mapping": "mapping.csv"},
        "nulls": "basic",
        "columns": {
            "Name": {"role": "drop"},
            "ZIP": {"role": "quasi", "hierarchy": {"mask": {"steps": [1, 2]}}, "priority": 3, "limit": 2},
            "Age": {"role": "quasi", "losses": [0, 0.4, 1], "priority": 2.5},
            "Sex": {"role": "quasi", "hierarchy": {"tree": {"groups": {"*": ["F", "M"]}}}, "losses": [0, 1]},
            "Condition": {
                "role": "sensitive",
                "hierarchy": {"tree": {"groups": {"*": ["Cancer", {"infection": ["Flu", "Hepatitis"]}]}}},
            },
            "a+b": {"role": "sensitive"},
            "Year": {"role": "keep"},
            "Number": {"role": "identifier"},
        },
        "models": [
            {"k_anonymity": {"k": 4}},
            {"distinct_l": {"l": 3, "column": "Condition"}},
            {"recursive_cl": {"c": 2, "l": 2, "column": "Condition"}},
            {"entropy_l": {"l": 1.5, "column": ["a+b"]}},
        ],
        "suppress": 4,
        "search": "best_first",
    }
    assert job.nulls is Nulls.BASIC


def test_the_tree_becomes_a_ladder(tmp_path: Path) -> None:
    import pyarrow as pa

    column = read(tmp_path, ANON).columns["Sex"]
    ladder = hierarchies.build(column.spec("Sex"), pa.array(["M", "F"]), "Sex")
    assert ladder.rows == [("F", "*"), ("M", "*")]
    assert ladder.losses == (0, 1)


def test_faults_have_lines(tmp_path: Path) -> None:
    text = """\
    <ANON extra="1">
      <Parameters>
        <k>four</k>
        <max_supp>1.5</max_supp>
        <k>5</k>
        <serch type="optimal"/>
        <missing handling="none"/>
      </Parameters>
      <Output replace="maybe"/>
      <Attributes>
        <k-attribute name="age" priority="0" limt="3"/>
        <k-attribute name="age"/>
        <l-attribute name="disease"><l-diversity type="odd" l="2"/></l-attribute>
        <dontcare>text</dontcare>
      </Attributes>
      <GeneralizationHierarchies>
        <hierarchy attribute="agee"/>
        <hierarchy attribute="age" by="mask"><value name="x"/></hierarchy>
        <hierarchy attribute="age" by="mask"/>
        <hierarchy attribute="disease"><level loss="high"/><level/></hierarchy>
      </GeneralizationHierarchies>
    </ANON>
    """
    assert told(tmp_path, text, ".xml") == [
        (1, "ANON", "no attribute 'extra'"),
        (3, "k", "k of k_anonymity is 'four'"),
        (4, "max_supp", "it must be a share of the records"),
        (5, "k", "written twice"),
        (6, "serch", "no such element in Parameters"),
        (7, "missing", "it must be 'extended'"),
        (9, "Output", "the attribute 'location' is missing"),
        (9, "Output", "it is empty"),
        (9, "Output", "it must be true or false"),
        (11, "k-attribute", "no attribute 'limt'"),
        (11, "k-attribute", "it must be greater than 0"),
        (12, "columns.age", "written twice"),
        (13, "l-diversity", "there is no model 'odd'"),
        (14, "dontcare", "the attribute 'name' is missing"),
        (14, "dontcare", "text is not allowed here"),
        (14, "dontcare", "a column has no name"),
        (17, "hierarchy", "no attribute is called 'agee'"),
        (18, "hierarchy", "it has a tree of values and 'by'"),
        (19, "hierarchy", "'age' already has one"),
        (20, "level", "the attribute 'loss' is missing"),
        (20, "hierarchy", "it must be a number"),
        (20, "hierarchy", "only a quasi column may have it"),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        "<ANON><Parameters><k>2</k></Parameters></ANON>",
        '<ANON><Parameters><k>0</k></Parameters><Attributes><k-attribute name="a"/></Attributes></ANON>',
        "<ANON><Parameters><k>2</k></Parameters><Attributes><k-attribute/></Attributes></ANON>",
        '<ANON><Parameters><q/></Parameters><Attributes><k-attribute name="a"/></Attributes></ANON>',
    ],
)
def test_the_schema_refuses_what_is_refused_here(tmp_path: Path, wrong: str) -> None:
    assert not xml_schema().validate(etree.fromstring(wrong))
    with pytest.raises(JobError):
        read(tmp_path, wrong)


def test_settings_that_have_nothing_to_speak_of(tmp_path: Path) -> None:
    text = """\
    <ANON>
      <Parameters><k>2</k><report record="r.json"/><missing><null_string value="?"/></missing></Parameters>
      <Attributes><k-attribute name="a"/></Attributes>
    </ANON>
    """
    assert told(tmp_path, text, ".xml") == [
        (2, "null_string", "there is no Datasource with such cells"),
        (2, "report", "there is no Output to report on"),
    ]


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE ANON [<!ENTITY a "x">]>',
        '<!DOCTYPE ANON [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE ANON SYSTEM "anon.dtd">',
        "<!DOCTYPE ANON>",
    ],
)
def test_entities_are_refused(tmp_path: Path, declared: str) -> None:
    [(_, _, what)] = told(tmp_path, f"{declared}<ANON></ANON>", ".xml")
    assert what == "it contains a document type or entities"


@pytest.mark.parametrize(("text", "line"), [("", 1), ("<ANON>\n<k>\n</ANON>", 3), ("x", 1), ("<ANON/>\n<ANON/>", 2)])
def test_no_xml(tmp_path: Path, text: str, line: int) -> None:
    [(at, where, what)] = told(tmp_path, text, ".xml")
    assert (at, where) == (line, "")
    assert what.startswith("this is not valid XML: ")


def test_another_root(tmp_path: Path) -> None:
    assert told(tmp_path, "\n\n<job/>", ".xml") == [(3, "", "the root element is 'job'")]


def test_nested_too_deeply(tmp_path: Path) -> None:
    deep = '<value name="x">' * 3000 + "</value>" * 3000
    text = f"<ANON><GeneralizationHierarchies><hierarchy>{deep}</hierarchy></GeneralizationHierarchies></ANON>"
    assert told(tmp_path, text, ".xml") == [(None, "", "it is nested too deeply")]


def test_trees_that_elements_cannot_say_are_written_as_text() -> None:
    def as_xml(groups: object) -> str:
        column = {"role": "quasi", "hierarchy": {"tree": {"groups": groups}}}
        return Job.from_dict({"columns": {"a": column}, "models": [{"k_anonymity": {"k": 2}}]}).to_xml()

    assert '<value name="x"' in as_xml({"all": ["x", "y"]})
    assert "by=" in as_xml({"all": [1, 2]})
    assert "by=" in as_xml([{"all": ["x", "y"]}])


def test_what_xml_cannot_hold_is_refused() -> None:
    job = Job.from_dict({"columns": {"a\x01": {"role": "quasi"}}, "models": [{"k_anonymity": {"k": 2}}]})
    assert job.to_yaml()
    with pytest.raises(UsageError, match="a name contains a control character"):
        job.to_xml()


def test_readable() -> None:
    text = dedent(
        """\
        <?xml version="1.0" encoding="UTF-8"?>
        <ANON>
          <Parameters>
            <k>5</k>
            <max_supp>0.02</max_supp>
            <model type="distinct_l:l=3,column=disease" />
          </Parameters>
          <Datasource>
            <source location="people.csv" />
          </Datasource>
          <Attributes>
            <k-attribute name="age" limit="2" />
            <l-attribute name="disease" />
          </Attributes>
          <GeneralizationHierarchies>
            <hierarchy attribute="age" by="intervals:widths=5/10" />
          </GeneralizationHierarchies>
        </ANON>
        """
    )
    job = Job.from_dict(
        {
            "data": "people.csv",
            "columns": {
                "age": {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10]}}, "limit": 2},
                "disease": {"role": "sensitive"},
            },
            "models": [{"k_anonymity": {"k": 5}}, {"distinct_l": {"l": 3, "column": "disease"}}],
            "suppress": "0.02",
        }
    )
    assert job.to_xml() == text
