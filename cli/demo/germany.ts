/**
 * Germany. Sources of the facts: surname counts after the telephone directories as the linguists of the Deutscher
 * Familiennamenatlas use them, given names after the Gesellschaft für deutsche Sprache, populations by Destatis
 * (orders and magnitudes, rounded); zip ranges by Deutsche Post; states by ISO 3166-2:DE.
 */
import type { Country } from './country.ts'

export const germany: Country = {
  code: 'DE',
  currency: 'EUR',
  language: 'de',
  cohorts: [
    {
      bornUpTo: 1959,
      male: 'Hans Peter Klaus Wolfgang Günter Helmut Jürgen Werner Manfred Horst Karl Heinz Dieter Bernd Gerhard Walter Rolf Uwe Rainer Karl-Heinz Herbert Joachim Hans-Jürgen Reinhard Siegfried Kurt Ulrich Norbert Hartmut Erwin Lothar Wilfried',
      female:
        'Ursula Renate Helga Karin Brigitte Ingrid Monika Gisela Christa Elisabeth Erika Barbara Hannelore Gerda Irmgard Inge Christel Edith Ilse Bärbel Waltraud Marianne Angelika Rosemarie Heidi Jutta Margarete Ruth Gudrun Sigrid Marlies Elfriede',
    },
    {
      bornUpTo: 1989,
      male: 'Michael Thomas Andreas Stefan Christian Markus Frank Torsten Sven Jan Daniel Matthias Jens Alexander Martin Oliver Sebastian Dirk Ralf Marco Tobias Jörg Florian Carsten Holger Kai Dennis Benjamin Heiko Björn Marcel Patrick Mario Volker',
      female:
        'Sabine Susanne Nicole Petra Andrea Stefanie Claudia Katrin Anja Sandra Julia Kerstin Martina Heike Melanie Daniela Christine Birgit Silke Tanja Anke Sarah Nadine Katharina Simone Yvonne Jessica Christina Ulrike Manuela Bianca Annette Britta',
    },
    {
      bornUpTo: 2099,
      male: 'Lukas Leon Jonas Finn Maximilian Paul Tim Felix Niklas Luca Jan Philipp Elias Ben Noah Julian Moritz Jannik David Fabian Tom Max Simon Nico Erik Jakob Anton Emil Henry Oskar Till Malte Lennart Justin',
      female:
        'Anna Lena Laura Lea Marie Sophie Leonie Emma Mia Hannah Lisa Johanna Emily Lara Sarah Julia Clara Luisa Charlotte Amelie Jana Maja Michelle Frieda Ida Pauline Mathilda Paula Antonia Greta Nele Lina Vanessa Celine',
    },
  ],
  surnames:
    'Müller 256, Schmidt 190, Schneider 115, Fischer 97, Weber 86, Meyer 83, Wagner 79, Schulz 73, Becker 74, Hoffmann 71, Schäfer 56, Koch 55, Bauer 54, Richter 53, Klein 49, Schröder 47, Wolf 48, Neumann 44, Schwarz 42, Zimmermann 40, Braun 40, Krüger 38, Hofmann 37, Hartmann 36, Lange 35, Schmitt 34, Werner 34, Krause 33, Schmitz 33, Meier 33, Lehmann 32, Schmid 31, Schulze 30, Maier 29, Köhler 28, Herrmann 27, Walter 27, König 27, Mayer 26, Huber 26, Kaiser 25, Fuchs 25, Peters 24, Möller 23, Scholz 23, Lang 23, Weiß 22, Jung 22, Hahn 21, Vogel 20, Friedrich 20, Keller 19, Günther 19, Schubert 19, Berger 19, Frank 19, Roth 18, Beck 18, Winkler 18, Lorenz 18, Baumann 17, Albrecht 16, Ludwig 16, Franke 15, Simon 15, Böhm 15, Schuster 15, Schumacher 15, Kraus 14, Winter 14, Otto 14, Krämer 14, Stein 13, Vogt 13, Martin 13, Jäger 13, Groß 13, Sommer 13, Brandt 12, Haas 12, Heinrich 12, Schreiber 12, Schulte 12, Graf 12, Dietrich 12, Ziegler 12, Engel 11, Kühn 11, Kuhn 11, Pohl 11, Horn 11, Thomas 11, Busch 11, Bergmann 11, Sauer 10, Arnold 10, Pfeiffer 10, Wolff 10, Voigt 9, Ernst 9, Hübner 9, Lindner 9, Hansen 9, Petersen 8, Jansen 8, Kowalski 5, Nowak 6',
  tail: {
    share: 0.3,
    beginnings:
      'Stein Rosen Eich Linden Birken Buch Berg Hof Feld Wald Bach Ober Nieder Alt Neu Kirch Burg Mühl Hammer Brunn Lang Klein Groß Schön Reit Sand Grün Wein Haber Eisen Acker Brand Oster Wester Holz Kalt',
    ends: 'berger mann hofer bauer müller meier bach feld hauer inger ner heim kamp brink mayer kötter ke stein',
  },
  newcomers: {
    share: 0.22,
    origins: {
      turkish: 34,
      polish: 20,
      russian: 16,
      arabic: 14,
      balkan: 13,
      italian: 10,
      asian: 3,
      persian: 4,
      latin: 2,
    },
  },
  cities: `Berlin|3750|10115-10999,12043-12689,13051-13629,14050-14199|BE
Hamburg|1890|20095-20539,21029-21149,22041-22769|HH
München|1510|80331-80999,81241-81929|BY
Köln|1085|50667-50999,51061-51149|NW
Frankfurt am Main|773|60306-60599,65929-65936|HE
Stuttgart|630|70173-70629|BW
Düsseldorf|630|40210-40629|NW
Leipzig|616|04103-04357|SN
Dortmund|590|44135-44388|NW
Essen|580|45127-45359|NW
Bremen|567|28195-28779|HB
Dresden|563|01067-01328|SN
Hannover|545|30159-30669|NI
Nürnberg|523|90402-90491|BY
Duisburg|503|47051-47279|NW
Bochum|365|44787-44894|NW
Wuppertal|358|42103-42399|NW
Bielefeld|338|33602-33739|NW
Bonn|335|53111-53229|NW
Münster|320|48143-48167|NW
Mannheim|315|68159-68309|BW
Karlsruhe|308|76131-76229|BW
Augsburg|301|86150-86199|BY
Wiesbaden|283|65183-65207|HE
Mönchengladbach|268|41061-41239|NW
Gelsenkirchen|263|45879-45899|NW
Aachen|252|52062-52080|NW
Braunschweig|251|38100-38126|NI
Kiel|247|24103-24159|SH
Chemnitz|248|09111-09131|SN
Halle (Saale)|242|06108-06132|ST
Magdeburg|239|39104-39130|ST
Freiburg im Breisgau|236|79098-79117|BW
Krefeld|228|47798-47839|NW
Mainz|222|55116-55131|RP
Lübeck|218|23552-23570|SH
Erfurt|215|99084-99099|TH
Oberhausen|210|46045-46149|NW
Rostock|209|18055-18147|MV
Kassel|204|34117-34134|HE
Saarbrücken|181|66111-66133|SL
Potsdam|185|14467-14482|BB
Oldenburg|172|26121-26135|NI
Osnabrück|167|49074-49090|NI
Heidelberg|162|69115-69126|BW
Regensburg|157|93047-93059|BY
Paderborn|154|33098-33106|NW
Ingolstadt|141|85049-85057|BY
Flensburg|92|24937-24944|SH
Schwerin|98|19053-19063|MV`,
  zipStep: 1,
  formatZip: (zip) => String(zip).padStart(5, '0'),
  streets:
    'Hauptstraße, Schulstraße, Gartenstraße, Bahnhofstraße, Dorfstraße, Bergstraße, Birkenweg, Lindenstraße, Kirchstraße, Waldstraße, Ringstraße, Schillerstraße, Amselweg, Goethestraße, Wiesenweg, Jahnstraße, Buchenweg, Wiesenstraße, Am Sportplatz, Finkenweg, Blumenstraße, Ahornweg, Rosenstraße, Meisenweg, Feldstraße, Mühlenweg, Friedhofstraße, Mozartstraße, Beethovenstraße, Eichenweg, Tannenweg, Industriestraße, Burgstraße, Breslauer Straße, Königsberger Straße, Danziger Straße, Bismarckstraße, Friedrichstraße, Wilhelmstraße, Kaiserstraße, Rathausstraße, Marktstraße, Am Markt, Poststraße, Lessingstraße, Uhlandstraße, Kantstraße, Hermann-Löns-Straße, Drosselweg, Lerchenweg, Erlenweg, Fliederweg, Kastanienallee, Lindenallee, Parkstraße, Ostpreußenstraße, Sonnenstraße, Talstraße, Brunnenstraße, Kiefernweg, Lärchenweg, Schloßstraße, Mittelstraße, Neue Straße, Lange Straße, Am Bahnhof, Grüner Weg, Berliner Straße, Leipziger Straße, Karl-Marx-Straße, Thomas-Mann-Straße, Ernst-Thälmann-Straße, Hafenstraße, Mühlenstraße',
  extensions: { share: 0.16, values: 'a, b, c, d, e, f' },
  // All of these are held back for films by the Bundesnetzagentur (Mitteilung 148/2021, Amtsblatt 7/2021, «Drama
  // Numbers»): 0171 39200 00…99 and 0176 040690 00…99, and 1,000 in each of five cities.
  mobilePhones: [
    { format: '0171 39200##', from: 0, to: 99 },
    { format: '0176 040690##', from: 0, to: 99 },
  ],
  fixedPhones: [
    { format: '030 23125###', from: 0, to: 999 },
    { format: '040 66969###', from: 0, to: 999 },
    { format: '069 90009###', from: 0, to: 999 },
    { format: '0221 4710###', from: 0, to: 999 },
    { format: '089 99998###', from: 0, to: 999 },
  ],
  legalForms: [
    { pattern: '{} GmbH', weight: 70, prefix: '99' },
    { pattern: '{} UG (haftungsbeschränkt)', weight: 12, prefix: '99' },
    { pattern: '{} GmbH & Co. KG', weight: 10, prefix: '99' },
    { pattern: '{} KG', weight: 3, prefix: '99' },
    { pattern: '{} OHG', weight: 3, prefix: '99' },
    { pattern: '{} eG', weight: 1, prefix: '99' },
    { pattern: '{} AG', weight: 2, prefix: '99' },
  ],
  trades:
    'Bau|41.20, Elektrotechnik|43.21, Sanitär|43.22, Malerbetrieb|43.34, Fliesen|43.33, Bedachungen|43.91, Autohaus|45.11, Kfz-Werkstatt|45.20, Lebensmittel|47.11, Moden|47.71, Spedition|49.41, Taxi|49.32, Hotel|55.10, Gaststätten|56.10, Café|56.10, Software|62.01, IT-Systeme|62.02, Immobilien|68.20, Hausverwaltung|68.32, Steuerberatung|69.20, Unternehmensberatung|70.22, Architekten|71.11, Ingenieurbüro|71.12, Werbeagentur|73.11, Personaldienste|78.20, Gebäudereinigung|81.21, Gartenbau|81.30, Dentaltechnik|32.50, Friseure|96.02, Fitness|93.13, Landtechnik|46.61, Metallbau|25.11, Tischlerei|16.23, Druckerei|18.12, Bäckerei|10.71',
  companyNames: [
    '{surname} {trade}',
    '{trade} {surname}',
    '{word} {trade}',
    '{surname} & {surname2} {trade}',
    '{surname} & Söhne {trade}',
    '{trade} {city}',
    '{surname} Beteiligungs',
  ],
  mailboxes: 'info, kontakt, buchhaltung, rechnung, office',
}
