"""Writes the files beside it, each as programs of its country do. Python's own codecs, so that no decoder of Headgate judges itself.

    python write_files.py
"""

import json
from datetime import date
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

# Those of files-to-sqlite.spec.ts.

text("tr-satislar.csv", "cp1254",
     "Tarih;Müşteri;Tutar\r\n05.03.2024;Şule Öztürk;1.234,56\r\n28.03.2024;İbrahim Çağlar;-12.345.678,90\r\n30.03.2024;Ayşe Işık;7,00\r\n")
text("cz-vypis.csv", "cp1250",
     "Výpis z účtu\r\nÚčet;CZ65 0800 0000\r\nVytvořeno;2. 4. 2024\r\n\r\nDatum;Popis;Částka;Měna\r\n1.3.2024;Nákup Žižkov;-1\u00a0234,50;CZK\r\n15.3.2024;Mzda – březen;45\u00a0000,00;CZK\r\n31.3.2024;Úrok;0,05;CZK\r\n")
text("ua-zamovlennya.txt", "cp1251",
     "Номер\tДата\tМісто\tСума\n1\t05.03.2024 14:30\tКиїв\t1234,56\n2\t31.12.2024 00:00\tЖитомир\t98,5\n3\t06.03.2024 09:15\tЇжакове\t7\n")
text("jp-kokyaku.csv", "cp932",
     '番号,氏名,住所,登録日,残高\r\n001,山田 太郎,"東京都\n千代田区1-1",2024/03/05,"1,234"\r\n002,鈴木 花子,"大阪府""北区""\n2-2",2024/12/31,"98,765"\r\n')
text("cn-dingdan.txt", "gb18030",
     "订单号|日期|客户|金额\n1001|2024年3月5日|北京“华夏”公司|1234.50\n1002|2024年12月31日|上海㐂饭店|98.25\n")
text("ch-rechnungen.csv", "utf-16-be",
     "Rechnung;Datum;Kunde;Betrag\r\n1;01.02.2024;Zoë Müller;1'234.50\r\n2;15.11.2023;Örs AG;98'765.00\r\n")
text("us-shifts.csv", "utf-8",
     'Employee,Start,Break,Note,Note\n"O\'Neil, Ann",3/25/2024 2:05:09 PM,12:30 PM,"said ""hi""",a\nBob,4/2/2024 11:59:00 AM,1:00 PM,,b\n', b"\xef\xbb\xbf")
text("de-kontoauszug.csv", "cp1252",
     "Kontoauszug;;;\r\nKonto;DE12 3456;;\r\n\r\nBuchung;Text;Betrag;Saldo\r\n05.03.2024;Miete März;-1.200,00;3.400,50\r\n28.03.2024;Gehalt;4.500,00;7.900,50\r\nSumme;;3.300,00;\r\n")
text("br-notas.json", "utf-8",
     json.dumps({"avisos": [{"texto": "três notas"}], "dados": {"notas": [
         {"numero": 1, "emissao": "2024-03-05", "cliente": {"nome": "João", "uf": "SP"}, "itens": [{"sku": "a", "qtd": 2}], "valor": 1234.56},
         {"numero": 9007199254740993, "emissao": "2024-12-31", "cliente": {"nome": "Conceição", "uf": "BA"}, "itens": [], "valor": 7}]}}, ensure_ascii=False))

book = openpyxl.Workbook()
book.active.title = "Note"
book.active.append(["Questo libro ha due fogli"])
sheet = book.create_sheet("Vendite 2024")
sheet.append(["Vendite per regione"])
sheet.merge_cells("A1:D1")
sheet.append(["Aggiornato", "2024-04-02"])
sheet["A4"], sheet["B4"], sheet["C4"], sheet["D4"] = "regione", "città", "data", "importo"
for row, values in enumerate([["Lazio", "Roma", date(2024, 3, 5), 1234.5], [None, "Viterbo", date(2024, 3, 6), 98.25],
                              ["Sicilia", "Catania", date(2024, 12, 31), 7]], 5):
    for column, value in enumerate(values, 1):
        sheet.cell(row, column, value)
sheet.merge_cells("A5:A6")
book.save(here / "it-vendite.xlsx")
text("gr-polisis.csv", "cp1253",
     "Ημερομηνία;Πόλη;Ποσό\n05/03/2024;Αθήνα;1.234,56\n28/03/2024;Θεσσαλονίκη\n30/03/2024;Ηράκλειο;7,50;περισσότερα\n31/03/2024;Βόλος;8,25\n")
