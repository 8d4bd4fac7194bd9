"""`python -m pe_lib` points to the commands of the other two packages."""

print("pe_lib has no commands. Diagnose code: python -m pe_clinic FILE[:NAME]. The course: python -m pe_course --help")
