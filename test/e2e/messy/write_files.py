"""Writes the files beside it, each as programs of its country do. Python's own codecs, so that no decoder of Headgate judges itself.

    python write_files.py
"""

import json
from pathlib import Path

import openpyxl

here = Path(__file__).parent


def text(name, encoding, content, bom=b""):
    (here / name).write_bytes(bom + content.encode(encoding))


text("de-umsatz.csv", "cp1252",
     "Datum;Kunde;Betrag\r\n05.03.2024;Müller & Söhne;1.234,56\r\n28.03.2024;Café „Größe“ – 5 €;-12.345.678,90\r\n30.03.2024;Jäger;7\r\n")
text("fr-ventes.csv", "utf-8",
     "jour;client;montant\n25/03/2024;Hélène;1\u202f234,56\n02/04/2024;Noël;987\u00a0654,30\n", b"\xef\xbb\xbf")
text("us-sales.csv", "ascii",
     'Order,Amount,Amount,Sold\n1,"1,234.56",10,3/25/2024 2:05 PM\n2,"12,000.00",20,4/2/2024 11:59 AM\n')
text("ch-lohn.txt", "cp1252", "Name\tLohn\tEintritt\nZoë\t1’234.50\t01.02.2024\nÖrs\t98’765.00\t15.11.2023\n")
text("jp-uriage.csv", "cp932", "日付,商品,金額\n2024年3月5日,ソーラー表示器,\"1,234\"\n2024年12月31日,テレビ,\"98,765\"\n")
text("pl-sprzedaz.csv", "cp1250",
     "data;miasto;kwota\n2024-03-05;Łódź;1 234,56\n2024-12-31;Gdańsk;98 765,00\n2024-06-01;Świętochłowice;5,5\n")
text("ru-prodazhi.csv", "cp1251",
     "Дата;Город;Сумма\n05.03.2024 14:30;Москва;1234,56\n31.12.2024 00:00;Санкт-Петербург\n06.03.2024 09:15;Казань;7,5;лишнее\n07.03.2024 10:00;Томск;8,25\n")
text("kr-maechul.txt", "utf-16-le", "날짜\t도시\t금액\n2024-03-05\t서울\t1234.5\n2024-12-31\t부산\t98.25\n", b"\xff\xfe")
text("in-bikri.csv", "utf-8", 'date,city,amount\n03/04/2024,मुंबई,"12,34,567.89"\n05/06/2024,दिल्ली,"98,765.00"\n')
text("cn-xiaoshou.csv", "gb18030",
     "日期,城市,金额\n2024/03/05,北京,1234.5\n2024/12/31,上海,98.25\n2024/06/01,广州,7\n")
text("br-pedidos.json", "utf-8",
     json.dumps({"gerado": "2024-03-05", "resposta": {"paginas": 1, "pedidos": [
         {"id": 1, "cliente": {"nome": "João"}, "valor": 1234.56},
         {"id": 2, "cliente": {"nome": "Conceição"}, "valor": 7}]}}, ensure_ascii=False))

book = openpyxl.Workbook()
book.active.title = "Léame"
book.active.append(["Este libro tiene dos hojas"])
sheet = book.create_sheet("Año 2024")
for row in [["ciudad", "ventas", "ventas"], ["Cádiz", 1234.5, 1], ["León", 98.25, 2]]:
    sheet.append(row)
book.save(here / "es-ventas.xlsx")
