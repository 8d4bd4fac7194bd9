"""For nbgrader, from this folder: notebooks/ is the assignment `notebooks` as it stands (docs/hosting.md says how).

The lessons carry nbgrader's metadata already: stubs are solution cells, checks are locked test cells with points.
"""

c = get_config()  # noqa: F821 (Jupyter puts it there)

c.CourseDirectory.course_id = "positional_encoding"
# The course is the source: the folder notebooks/ beside this file. What nbgrader makes goes to class/
# and gradebook.db, which git ignores.
c.CourseDirectory.source_directory = "."
c.CourseDirectory.release_directory = "class/release"
c.CourseDirectory.submitted_directory = "class/submitted"
c.CourseDirectory.autograded_directory = "class/autograded"
c.CourseDirectory.feedback_directory = "class/feedback"

# The learner's own record of what was answered when (pe_course/progress/record.py) is neither handed out nor handed in.
# Nor are the answers to the test before and after, but for a copy to which the learner gives another name.
OWN = ["progress.jsonl", "pe_test.jsonl", "pe_test_explained.html"]
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", *OWN]

# A stub is what the learner gets, and the solutions stand folded below it: nothing is to be taken out. The outputs are
# taken out, so that no answer to a prediction is handed out.
c.ClearSolutions.enabled = False

# Lesson 09 trains for half a minute in one cell, and a grading machine may be slow.
c.Execute.timeout = 1800
c.Execute.startup_timeout = 600
