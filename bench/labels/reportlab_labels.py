"""Draws labels with ReportLab and qrcode. Arguments: a file of texts, the PDF. Prints the seconds of processor time."""

import sys
import time

import qrcode
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

COLUMNS, ROWS, LEFT, TOP, WIDTH, HEIGHT, GAP = 3, 7, 7.25, 15.15, 63.5, 38.1, 2.5
QUIET_ZONE = 4

with open(sys.argv[1], encoding="utf-8") as file:
    texts = file.read().split("\n")
started = time.process_time()
canvas = Canvas(sys.argv[2], pagesize=A4, pageCompression=1)
for index, text in enumerate(texts):
    label = index % (COLUMNS * ROWS)
    if index > 0 and label == 0:
        canvas.showPage()
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=0)
    code.add_data(text)
    code.make(fit=True)
    rows = code.get_matrix()
    module = HEIGHT * mm / (len(rows) + 2 * QUIET_ZONE)
    x = (LEFT + label % COLUMNS * (WIDTH + GAP) + WIDTH / 2) * mm - len(rows) / 2 * module
    y = A4[1] - (TOP + label // COLUMNS * HEIGHT) * mm - QUIET_ZONE * module
    path = canvas.beginPath()
    for number, row in enumerate(rows):
        column = 0
        while column < len(row):
            start = column
            while column < len(row) and row[column]:
                column += 1
            if column > start:
                path.rect(x + start * module, y - (number + 1) * module, (column - start) * module, module)
            column += 1
    canvas.drawPath(path, stroke=0, fill=1)
canvas.save()
print(time.process_time() - started)
