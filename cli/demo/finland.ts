/**
 * Finland. Sources of the facts: name statistics of the Digital and Population Data Services Agency (DVV) and
 * populations by Statistics Finland (orders and magnitudes, rounded); zip ranges by Posti.
 */
import type { Cohort, Country } from './country.ts'

export const finland: Country = {
  code: 'FI',
  currency: 'EUR',
  language: 'fi',
  cohorts: [
    {
      bornUpTo: 1959,
      male: 'Pekka Matti Kari Seppo Jorma Heikki Markku Juhani Hannu Erkki Raimo Timo Pentti Reijo Jukka Martti Antti Esko Tapio Ilkka Veikko Risto Paavo Kalevi Eero Tapani Keijo Pertti Olavi Tuomo Aulis Toivo',
      female:
        'Anneli Ritva Leena Marja Pirkko Raija Anja Tuula Liisa Eila Seija Irma Maija Helena Kaija Aino Eeva Marjatta Sirpa Terttu Arja Riitta Päivi Sinikka Aila Hilkka Kirsti Maire Anna-Liisa Orvokki Hellevi Aune',
    },
    {
      bornUpTo: 1989,
      male: 'Mika Jari Juha Timo Marko Jukka Petri Sami Janne Pasi Antti Ari Jani Tommi Jarkko Ville Kimmo Mikko Vesa Harri Teemu Tero Jussi Juuso Lauri Toni Arto Tuomas Esa Olli Markus Joni Henri Sampo',
      female:
        'Päivi Minna Tiina Anne Sari Mari Katja Satu Johanna Kirsi Hanna Sanna Heidi Tuija Marika Outi Jaana Virpi Laura Jenni Niina Riikka Anu Elina Susanna Piia Merja Mervi Taina Kaisa Maarit Hanne Eija Henna Terhi',
    },
    {
      bornUpTo: 2099,
      male: 'Juho Aleksi Eetu Joona Niko Ville Arttu Jesse Onni Elias Leevi Oskari Roope Santeri Samuel Valtteri Eemeli Niklas Lauri Veeti Miika Eeli Aatu Otto Emil Rasmus Joel Nooa Luka Miro Konsta Topias Väinö Iiro',
      female:
        'Emma Sara Jenna Ella Aino Emilia Iida Anni Siiri Venla Veera Julia Helmi Oona Aada Noora Sofia Milla Roosa Nea Pinja Eveliina Enni Kerttu Lotta Vilma Aurora Olivia Isla Eevi Hilla Saana Elli Lumi',
    },
  ],
  surnames:
    'Korhonen 22, Virtanen 22, Mäkinen 20, Nieminen 20, Mäkelä 18, Hämäläinen 18, Laine 17, Heikkinen 17, Koskinen 17, Järvinen 16, Lehtonen 16, Lehtinen 15, Saarinen 15, Salminen 14, Heinonen 14, Niemi 14, Heikkilä 14, Kinnunen 14, Salonen 14, Turunen 13, Salo 13, Laitinen 13, Rantanen 12, Tuominen 12, Jokinen 12, Mattila 12, Savolainen 12, Lahtinen 11, Ahonen 11, Ojala 10, Karjalainen 11, Leppänen 11, Väisänen 11, Hiltunen 10, Miettinen 10, Kallio 10, Pitkänen 10, Aaltonen 10, Manninen 9, Anttila 9, Koivisto 9, Hakala 9, Laaksonen 9, Hirvonen 9, Räsänen 8, Rantala 8, Laakso 8, Peltonen 8, Kettunen 8, Toivonen 8, Lehto 8, Partanen 8, Hänninen 7, Mikkonen 7, Kärkkäinen 7, Nurmi 7, Peltola 7, Kemppainen 7, Aalto 7, Niskanen 7, Halonen 6, Seppälä 6, Eskelinen 6, Kokkonen 6, Lindström 3, Huttunen 6, Vainio 6, Nousiainen 6, Pesonen 6, Oksanen 6, Kangas 6, Tikkanen 5, Pulkkinen 5, Tamminen 5, Huhtala 5, Karppinen 5, Ikonen 5, Rissanen 5, Johansson 5, Asikainen 5, Koponen 5, Ruotsalainen 5, Pelkonen 5, Sillanpää 4, Kuusisto 4, Suominen 5, Rautio 4, Kiviniemi 3, Moilanen 5, Parviainen 4, Immonen 4, Haapala 4, Leinonen 5, Määttä 5, Tolonen 4',
  tail: {
    share: 0.42,
    beginnings:
      'Kallio Koivu Lehto Mänty Haapa Kuusi Honka Kivi Järvi Joki Koski Lampi Suo Metsä Vuori Harju Mäki Ranta Saari Niemi Laakso Pelto Aho Kangas Salo Rauta Hieta Leppä Pihla Tammi Hauki Karhu Kurki Yli Ala Uusi Vesa Heino',
    ends: 'nen la mäki niemi ranta salo järvi lahti aho vaara lehto saari',
  },
  newcomers: {
    share: 0.07,
    origins: { russian: 28, baltic: 24, arabic: 14, somali: 14, asian: 9, persian: 5, balkan: 4, turkish: 2 },
  },
  cities: `Helsinki|675|00100-00990
Espoo|315|02100-02980
Tampere|255|33100-33900
Vantaa|247|01200-01760
Oulu|215|90100-90960
Turku|202|20100-20960
Jyväskylä|148|40100-40950
Kuopio|124|70100-70910
Lahti|121|15100-15960
Pori|83|28100-28950
Kouvola|78|45100-45910
Joensuu|78|80100-80900
Lappeenranta|73|53100-53920
Hämeenlinna|68|13100-13880
Vaasa|68|65100-65970
Seinäjoki|66|60100-60760
Rovaniemi|65|96100-96960
Mikkeli|52|50100-50970
Kotka|50|48100-48930
Salo|51|24100-24910
Porvoo|51|06100-06890
Kokkola|48|67100-67900
Hyvinkää|47|05800-05950
Lohja|45|08100-08800
Järvenpää|46|04400-04480
Rauma|39|26100-26820
Kajaani|36|87100-87970
Kerava|38|04200-04260
Savonlinna|31|57100-57810
Nokia|36|37100-37200
Riihimäki|29|11100-11910
Imatra|25|55100-55910
Raahe|24|92100-92170
Raisio|25|21200-21280
Tornio|21|95400-95460
Iisalmi|21|74100-74170
Kemi|20|94100-94830
Varkaus|19|78200-78880`,
  zipStep: 10,
  formatZip: (zip) => String(zip).padStart(5, '0'),
  streets:
    'Koulukatu, Rantatie, Kirkkokatu, Koivutie, Asematie, Keskuskatu, Kauppakatu, Mäntytie, Kuusitie, Koulutie, Puistokatu, Rantakatu, Hämeenkatu, Hallituskatu, Opintie, Teollisuustie, Haapatie, Peltotie, Metsätie, Mäkitie, Niittytie, Pihlajatie, Kirkkotie, Keskustie, Satamakatu, Linnankatu, Itsenäisyydenkatu, Mannerheimintie, Aleksanterinkatu, Yliopistonkatu, Vapaudenkatu, Kalevankatu, Urheilukatu, Sairaalankatu, Tehtaankatu, Myllykatu, Myllytie, Torikatu, Siltakatu, Valtakatu, Uusikatu, Tammitie, Leppätie, Vaahteratie, Lepolantie, Kotitie, Onnentie, Kaarnatie, Käpytie, Kanervatie, Mustikkatie, Puolukkatie, Ketunpolku, Karhutie, Joutsentie, Pääskyntie, Kiurunkatu, Ratakatu, Pohjoisesplanadi, Hämeentie, Itäinen Pitkäkatu, Runeberginkatu, Topeliuksenkatu, Väinämöisenkatu, Savonkatu, Karjalankatu, Lapinkatu, Museokatu, Nahkurinkatu, Vuorikatu',
  extensions: {
    share: 0.55,
    values:
      'A 1, A 2, A 4, A 5, A 7, A 9, A 12, A 15, B 3, B 8, B 14, B 17, B 21, C 20, C 26, C 31, D 34, D 40, E 44, A, B, as. 2, as. 4',
  },
  // No block for fiction is published for Finland. 0490 000 ### is within the numbering plan but in no block that
  // the full tables of libphonenumber know as handed out: our choice, not a reservation.
  mobilePhones: [{ format: '0490 000 ###', from: 100, to: 599 }],
  fixedPhones: [{ format: '0490 000 ###', from: 600, to: 999 }],
  legalForms: [
    { pattern: '{} Oy', weight: 86, prefix: '9' },
    { pattern: '{} Oyj', weight: 1, prefix: '9' },
    { pattern: '{} Ky', weight: 8, prefix: '9' },
    { pattern: 'Oy {} Ab', weight: 4, prefix: '9' },
    { pattern: '{} Avoin yhtiö', weight: 2, prefix: '9' },
  ],
  trades:
    'Rakennus|41.20, Sähkö|43.21, LVI|43.22, Maalaus|43.34, Lattia|43.33, Katto|43.91, Auto|45.20, Autokorjaamo|45.20, Market|47.11, Muoti|47.71, Kuljetus|49.41, Taksi|49.32, Hotelli|55.10, Ravintola|56.10, Pizzeria|56.10, Kahvila|56.10, Ohjelmistot|62.01, Data|62.02, Kiinteistöt|68.20, Tilitoimisto|69.20, Konsultointi|70.22, Arkkitehdit|71.11, Tekniikka|71.12, Mainostoimisto|73.11, Henkilöstöpalvelu|78.20, Siivous|81.21, Puutarha|81.30, Hammaslääkärit|86.23, Parturi-Kampaamo|96.02, Kuntosali|93.13, Maatila|01.50, Metsä|02.20, Konepaja|25.62, Puusepät|16.23, Kirjapaino|18.12',
  companyNames: [
    '{trade} {surname}',
    '{city} {trade}',
    '{word} {trade}',
    '{trade} {surname} & {surname2}',
    '{surname} {trade}',
    '{surname} Invest',
  ],
  mailboxes: 'info, toimisto, laskut, asiakaspalvelu, posti',
}

/** The twentieth of Finland that speaks Swedish: names, towns and streets of their own (DVV, Statistics Finland). */
export const swedishSpeakingShare = 0.052
const cohorts: Cohort[] = [
  {
    bornUpTo: 1959,
    male: 'Bo Lars Karl Rolf Göran Nils Henrik Stig Jan Kurt Bengt Håkan Börje Ole Ralf Kaj Carl Leif Erik Tor Ulf Bjarne',
    female:
      'Gunilla Marianne Carita Margareta Christina Gun Anita Ulla Barbro Siv Ann-Mari Solveig Benita Inger Maj-Lis Viveca Britta Görel Kristina Monica',
  },
  {
    bornUpTo: 1989,
    male: 'Johan Mikael Peter Kim Jan Patrik Mats Fredrik Thomas Tom Christian Kenneth Robert Niklas Dan Sebastian Stefan Andreas Jonas Marcus Robin Henrik',
    female:
      'Maria Anna Johanna Camilla Sofia Malin Annika Pia Susanne Heidi Linda Nina Monica Carola Jessica Mikaela Sabina Jenny Catharina Petra Åsa Eva',
  },
  {
    bornUpTo: 2099,
    male: 'Anton Emil Elias Oliver Benjamin Axel William Oscar Alexander Hugo Liam Viktor Lucas Edvin Kevin Max Isak Rasmus Casper Albin Leo Filip',
    female:
      'Emma Ida Ellen Julia Sofia Wilma Alva Saga Amanda Ebba Linnea Elsa Matilda Alice Moa Olivia Stella Vera Tyra Freja Agnes Hilda',
  },
]
export const swedishSpeakingFinland: Country = {
  ...finland,
  language: 'sv',
  cohorts,
  surnames:
    'Johansson 16, Nyman 12, Lindholm 12, Karlsson 11, Andersson 11, Lindroos 8, Lindström 9, Eriksson 9, Sundström 8, Holmström 7, Nyberg 7, Nylund 8, Backman 8, Forsman 6, Bergman 5, Nygård 5, Söderholm 6, Lindqvist 6, Österholm 3, Finne 2, Backlund 4, Björkman 4, Granholm 4, Häggblom 4, Snellman 3, Sjöberg 5, Grönlund 5, Enlund 4, Wikström 5, Mattsson 5, Söderlund 5, Blomqvist 5, Lillkvist 1, Storbacka 1, Östman 3, Sandås 1, Nordlund 4, Westerlund 4, Fagerström 4, Stenman 3, Lönnqvist 3, Rönnqvist 3, Ekholm 3, Ahlskog 2, Skog 3, Kronqvist 3',
  tail: {
    share: 0.2,
    beginnings:
      'Lind Sund Sand Berg Back Holm Ny Väster Öster Norr Söder Gran Björk Alm Fager Grön Häll Kull Lill Stor',
    ends: 'holm lund ström berg man backa qvist roos gård näs',
  },
  newcomers: { share: 0, origins: { arabic: 1 } },
  cities: `Helsingfors|36|00100-00990
Esbo|20|02100-02980
Vasa|16|65100-65970
Borgå|14|06100-06890
Jakobstad|11|68600-68660
Åbo|11|20100-20960
Mariehamn|11|22100-22160
Raseborg|16|10600-10640
Kyrkslätt|7|02400-02480
Sibbo|6|04130-04180
Pargas|8|21600-21660
Nykarleby|6|66900-66950
Närpes|7|64200-64260
Kristinestad|3|64100-64140
Karleby|6|67100-67900
Kimito|3|25700-25860
Hangö|3|10900-10960
Lovisa|6|07900-07960`,
  streets:
    'Storgatan, Strandgatan, Skolgatan, Kyrkogatan, Skolvägen, Strandvägen, Handelsesplanaden, Parkgatan, Alexandersgatan, Rådhusgatan, Norra Esplanaden, Torggatan, Skepparegatan, Hamngatan, Björkvägen, Granvägen, Smedsvägen, Kyrkvägen, Bergsgatan, Lotsgatan, Runebergsgatan, Mannerheimvägen, Trädgårdsgatan, Fredsgatan, Köpmansgatan, Västra Alléen, Östra Strandgatan, Nygatan',
}
