/**
 * Norway. Sources of the facts: name and population statistics of Statistics Norway (SSB; orders and magnitudes,
 * rounded); zip ranges by Posten.
 */
import type { Country } from './country.ts'

export const norway: Country = {
  code: 'NO',
  currency: 'NOK',
  language: 'nb',
  cohorts: [
    {
      bornUpTo: 1959,
      male: 'Jan Per Bjørn Svein Kjell Arne Odd Knut Tor Ole Hans Terje Leif Harald Einar Rolf Egil Geir John Olav Arvid Sverre Gunnar Øyvind Ivar Magne Reidar Asbjørn Finn Steinar Trond Dag Oddvar Sigmund',
      female:
        'Anne Inger Kari Marit Liv Berit Astrid Bjørg Solveig Randi Gerd Ingrid Eva Grete Turid Wenche Torill Aud Unni Sissel Else Reidun Gunn Elisabeth Kirsten Bente Ragnhild Brit Tove Laila Synnøve Åse Signe Eldbjørg',
    },
    {
      bornUpTo: 1989,
      male: 'Jan Morten Thomas Geir Rune Lars Espen Stian Kristian Frode Trond Anders Martin Øyvind Tommy Pål Erik Roger Christian Kenneth Marius Håvard Tor Svein Andreas Kjetil Henrik Ole Magnus Petter Ronny Stein Eirik Jørgen Sindre Vidar',
      female:
        'Anne Hilde Linda Nina Monica Marianne Heidi Elisabeth Ingrid Kristin Camilla Trine Hege Silje Tone Mona Kristine Merete Cathrine Siv Ann Lene Mari Stine Anita Line Maria Janne Gro Marte Ragnhild Elin Ellen Therese Tonje',
    },
    {
      bornUpTo: 2099,
      male: 'Markus Mathias Kristian Jonas Andreas Sander Martin Emil Magnus Tobias Henrik Sebastian Fredrik Jakob Oliver Adrian Sondre Elias Lucas Noah Filip William Håkon Simen Vetle Eirik Even Theodor Oskar Isak Aksel Ulrik Eskil Iver',
      female:
        'Ida Emma Nora Thea Julie Ingrid Sara Maria Hanna Emilie Amalie Vilde Malin Tuva Frida Sofie Mia Karoline Marte Oda Ella Victoria Selma Mathilde Maja Astrid Eline Tiril Leah Synne Hedda Solveig Olivia Jenny',
    },
  ],
  surnames:
    'Hansen 49, Johansen 46, Olsen 45, Larsen 35, Andersen 35, Pedersen 33, Nilsen 32, Kristiansen 22, Jensen 21, Karlsen 20, Johnsen 19, Pettersen 18, Eriksen 18, Berg 17, Haugen 14, Hagen 14, Johannessen 13, Andreassen 12, Jacobsen 12, Dahl 11, Jørgensen 11, Halvorsen 11, Henriksen 11, Lund 11, Sørensen 10, Jakobsen 10, Moen 10, Gundersen 9, Iversen 9, Strand 9, Solberg 8, Svendsen 8, Martinsen 8, Eide 8, Knutsen 8, Bakken 8, Kristoffersen 8, Mathisen 8, Lie 7, Amundsen 7, Nguyen 7, Rasmussen 7, Lunde 7, Solheim 7, Bakke 7, Berge 7, Moe 7, Kristensen 7, Nygård 7, Fredriksen 6, Antonsen 6, Holm 6, Lien 6, Hauge 6, Christensen 6, Nielsen 6, Evensen 6, Sæther 5, Hovland 5, Aas 5, Thomassen 5, Haugland 5, Simonsen 5, Sivertsen 5, Berntsen 5, Ali 5, Danielsen 5, Rønning 5, Arnesen 5, Næss 5, Sandvik 5, Hauge 5, Ellingsen 5, Thorsen 5, Edvardsen 5, Vik 5, Isaksen 4, Gulbrandsen 4, Ruud 4, Birkeland 4, Aasen 4, Ødegård 4, Aune 4, Tangen 4, Myhre 4, Fossum 3, Brekke 3, Engen 3, Wold 3, Sunde 3',
  tail: {
    share: 0.38,
    beginnings:
      'Hauge Bjørke Furu Gran Sand Stein Sol Sør Nord Øst Vest Myr Fjell Berge Lange Stor Lille Ny Skog Elve Bakke Rød Tveit Hegge Lin Aske Ørne Ulve Kvam Lyng Mo Nes Opp Ramn Skar Torp Vang Brå',
    ends: 'land vik nes heim rud set lid haug berg dal moen stad bø sæter eid mo hus tveit ås',
  },
  newcomers: {
    share: 0.15,
    origins: {
      polish: 25,
      baltic: 10,
      arabic: 18,
      somali: 10,
      southAsian: 14,
      balkan: 7,
      asian: 8,
      persian: 6,
      latin: 2,
    },
  },
  cities: `Oslo|709|0150-0198,0250-0287,0350-0379,0450-0495,0550-0598,0650-0698,0750-0790,0850-0891,0950-0988,1051-1089,1150-1189,1250-1295
Bergen|290|5003-5068,5097-5165
Trondheim|212|7010-7099
Stavanger|148|4005-4034
Drammen|103|3011-3048
Bærum|128|1306-1369
Kristiansand|115|4608-4639
Fredrikstad|84|1601-1639
Sandnes|83|4306-4329
Tromsø|78|9006-9024
Asker|97|1383-1396
Sandefjord|65|3208-3249
Bodø|53|8003-8029
Sarpsborg|59|1701-1745
Skien|56|3710-3747
Ålesund|58|6002-6028
Arendal|46|4836-4859
Tønsberg|58|3110-3154
Haugesund|38|5501-5537
Porsgrunn|37|3910-3949
Moss|51|1511-1539
Hamar|33|2315-2324
Larvik|48|3256-3275
Halden|32|1751-1792
Lillehammer|29|2609-2624
Gjøvik|30|2815-2827
Molde|32|6410-6425
Harstad|25|9402-9411
Kongsberg|28|3601-3619
Horten|28|3181-3199
Kristiansund|24|6507-6523
Mo i Rana|19|8610-8626
Elverum|21|2403-2412
Hønefoss|17|3510-3519
Alta|21|9510-9519
Narvik|21|8514-8523
Levanger|20|7600-7606
Steinkjer|24|7713-7725
Askim|16|1807-1815
Hammerfest|11|9600-9613
Florø|9|6900-6905
Lillestrøm|18|2000-2008`,
  zipStep: 1,
  formatZip: (zip) => String(zip).padStart(4, '0'),
  streets:
    'Storgata, Kirkegata, Skolegata, Industriveien, Skogveien, Kirkeveien, Bjørkeveien, Granveien, Furuveien, Strandveien, Ringveien, Hovedveien, Solveien, Bakkeveien, Kongens gate, Dronningens gate, Parkveien, Elveveien, Nygata, Sjøgata, Strandgata, Jernbanegata, Stasjonsveien, Fjellveien, Myrveien, Åsveien, Kongsveien, Torggata, Havnegata, Møllergata, Møllevegen, Haugeveien, Lyngveien, Rogneveien, Ospeveien, Løvveien, Bekkeveien, Tunveien, Enerveien, Symreveien, Blåbærveien, Tyttebærveien, Trondheimsveien, Drammensveien, Bergensveien, Bjørnstjerne Bjørnsons gate, Henrik Ibsens gate, Christian Krohgs gate, Nordahl Griegs vei, Johan Svendsens vei, Prestegårdsveien, Skytterveien, Idrettsveien, Damveien, Sagveien, Fabrikkveien, Verftsgata, Bryggegata, Fiskerveien, Lerkeveien, Svaleveien, Trostveien, Elgveien, Reveveien, Nordre gate, Søndre gate, Vestre vei, Østre vei, Solsiden, Markveien, Thereses gate, Bogstadveien',
  extensions: {
    share: 0.3,
    values: 'A, B, C, D, H0101, H0102, H0201, H0202, H0301, H0302, H0401, B H0201, A H0102, E',
  },
  // No block for fiction is published for Norway. 20 00 ## ## is within the numbering plan but in no block that the
  // full tables of libphonenumber know as handed out: our choice, not a reservation.
  mobilePhones: [{ format: '20 00 ## ##', from: 1000, to: 4999 }],
  fixedPhones: [{ format: '20 00 ## ##', from: 5000, to: 9999 }],
  legalForms: [
    { pattern: '{} AS', weight: 84, prefix: '31' },
    { pattern: '{} ASA', weight: 1, prefix: '31' },
    { pattern: '{} ANS', weight: 4, prefix: '31' },
    { pattern: '{} DA', weight: 4, prefix: '31' },
    { pattern: '{} SA', weight: 3, prefix: '31' },
  ],
  trades:
    'Bygg|41.20, Elektro|43.21, Rør|43.22, Maler|43.34, Flis|43.33, Tak og Blikk|43.91, Bil|45.20, Bilverksted|45.20, Dagligvare|47.11, Klær|47.71, Transport|49.41, Taxi|49.32, Hotell|55.10, Restaurant|56.10, Kafé|56.10, Data|62.01, IT|62.02, Eiendom|68.20, Regnskap|69.20, Rådgivning|70.22, Arkitekter|71.11, Teknikk|71.12, Reklame|73.11, Bemanning|78.20, Renhold|81.21, Hage|81.30, Tannklinikk|86.23, Frisør|96.02, Treningssenter|93.13, Gårdsdrift|01.50, Fisk|03.11, Havbruk|03.21, Mekaniske|25.62, Snekkeri|16.23, Trykkeri|18.12',
  companyNames: [
    '{surname} {trade}',
    '{city} {trade}',
    '{word} {trade}',
    '{surname} og {surname2} {trade}',
    '{surname} {trade} {city}',
    '{surname} Invest',
  ],
  mailboxes: 'post, firmapost, faktura, kontakt, info',
}
