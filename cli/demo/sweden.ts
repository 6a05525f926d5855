/**
 * Sweden. Sources of the facts: name statistics of Statistics Sweden (SCB) and the Swedish Tax Agency (orders and
 * magnitudes, rounded); populations by SCB; zip ranges by PostNord.
 */
import type { Country } from './country.ts'

export const sweden: Country = {
  code: 'SE',
  currency: 'SEK',
  language: 'sv',
  cohorts: [
    {
      bornUpTo: 1959,
      male: 'Lars Karl Jan Hans Per Bengt Bo Göran Anders Sven Leif Gunnar Lennart Stig Kjell Rolf Kent Ulf Ingemar Roland Christer Arne Åke Tommy Nils Olof Börje Torbjörn Stefan Claes Håkan Roger Rune Bertil Ove Sture',
      female:
        'Anna Eva Karin Kerstin Margareta Birgitta Ingrid Gunilla Marie Inger Ulla Marianne Lena Barbro Monica Ann-Christin Elisabeth Agneta Gun Britt Siv Berit Lisbeth Maj-Britt Yvonne Gunnel Solveig Anita Ingegerd Ann-Marie Christina Viola Astrid Majken',
    },
    {
      bornUpTo: 1989,
      male: 'Mikael Johan Andreas Fredrik Peter Daniel Anders Magnus Thomas Marcus Stefan Jonas Martin Henrik Mattias Patrik Niklas Robert Christian David Erik Joakim Tobias Jimmy Jens Kristoffer Emil Björn Mats Håkan Urban Rickard Tony Pontus Dan Conny Ola Roger',
      female:
        'Anna Maria Jenny Linda Sara Malin Lena Johanna Emma Helena Susanne Annika Camilla Ulrika Sofia Åsa Jessica Karin Therese Cecilia Kristina Lisa Elin Hanna Caroline Ida Josefin Pernilla Anette Charlotte Katarina Carina Marie Erika Veronica Petra Åsa Ann-Sofie Madeleine',
    },
    {
      bornUpTo: 2099,
      male: 'Oscar Erik William Filip Simon Alexander Viktor Emil Lucas Anton Jonathan Linus Elias Adam Gustav Albin Isak Hugo Rasmus Sebastian Ludvig Axel Oliver Max Kevin Melker Hampus Jesper Tim Robin Casper Leo Love Theodor Vincent Nils',
      female:
        'Emma Julia Elin Hanna Amanda Matilda Sara Ida Ebba Klara Maja Linnéa Wilma Alva Moa Elsa Alice Ella Felicia Frida Tilda Nellie Agnes Saga Tuva Lovisa Olivia Isabelle Rebecka Ellen Sofia Astrid Nova Vera Stina Filippa',
    },
  ],
  surnames:
    'Andersson 212, Johansson 210, Karlsson 188, Nilsson 144, Eriksson 128, Larsson 107, Olsson 96, Persson 93, Svensson 87, Gustafsson 84, Pettersson 79, Jonsson 64, Jansson 42, Hansson 38, Bengtsson 31, Jönsson 27, Lindberg 27, Jakobsson 26, Magnusson 25, Lindström 25, Olofsson 24, Lindqvist 23, Lindgren 23, Axelsson 22, Berg 22, Bergström 22, Lundberg 21, Lind 21, Lundgren 21, Lundqvist 20, Mattsson 20, Berglund 19, Fredriksson 18, Sandberg 18, Henriksson 17, Forsberg 16, Sjöberg 16, Wallin 16, Engström 16, Eklund 15, Danielsson 15, Lundin 15, Håkansson 15, Björk 14, Bergman 14, Gunnarsson 14, Wikström 14, Holm 14, Samuelsson 13, Isaksson 13, Fransson 13, Bergqvist 13, Nyström 13, Holmberg 12, Arvidsson 12, Löfgren 12, Söderberg 12, Nyberg 12, Ekström 12, Blomqvist 12, Claesson 12, Nordström 12, Mårtensson 12, Lundström 12, Björklund 11, Viklund 11, Eliasson 11, Pålsson 11, Sandström 10, Nordin 10, Fors 9, Hellström 9, Ström 9, Falk 9, Åberg 8, Ekman 8, Ek 8, Dahl 8, Norberg 7, Sundberg 7, Hedlund 7, Martinsson 7, Öberg 7, Hermansson 7, Strand 6, Melin 6, Ottosson 6, Abrahamsson 6, Ivarsson 6, Sundqvist 6, Dahlberg 6, Moberg 5, Palm 5, Borg 5, Norén 4, Ståhl 4, Frisk 3, Rask 3, Stolpe 1, Hård 1',
  tail: {
    share: 0.24,
    beginnings:
      'Lind Berg Sund Sand Dahl Hag Hed Ny Eng Ek Björk Alm Asp Gran Holm Ström Sjö Fors Lund Nord Söder Väster Öster Stål Rosen Ceder Hell Lilje Silver Gyllen Malm Wester Ahl Blom Grön Hall Kull Mell Rönn Skog Tall Vik Åker Ång Öhr Brand Edl',
    ends: 'berg ström gren qvist lund man strand dahl mark hammar ås brink holm fors blad skog stedt ius er feldt',
  },
  newcomers: {
    share: 0.19,
    origins: {
      arabic: 30,
      balkan: 18,
      polish: 10,
      persian: 9,
      turkish: 8,
      somali: 7,
      finnish: 8,
      latin: 5,
      asian: 5,
    },
  },
  cities: `Stockholm|985|11120-11867,12030-12940,16240-16879
Göteborg|607|41101-41876,42130-42258
Malmö|362|21115-21879
Uppsala|182|75220-75759
Västerås|130|72210-72597
Örebro|129|70210-70597
Linköping|117|58214-58966
Helsingborg|115|25220-25669
Jönköping|102|55302-55626
Norrköping|98|60210-60599
Lund|96|22220-22760
Umeå|93|90320-90738
Gävle|78|80250-80649
Södertälje|76|15130-15296
Borås|75|50330-50770
Halmstad|73|30220-30599
Växjö|72|35230-35599
Eskilstuna|70|63219-63592
Karlstad|68|65220-65634
Täby|72|18310-18779
Sundsvall|59|85229-85755
Luleå|49|97231-97753
Trollhättan|50|46130-46173
Östersund|53|83130-83196
Borlänge|44|78430-78479
Falun|40|79130-79177
Kalmar|43|39230-39599
Kristianstad|42|29130-29196
Skövde|40|54130-54194
Uddevalla|37|45130-45197
Varberg|37|43240-43299
Karlskrona|37|37130-37197
Skellefteå|37|93130-93197
Nyköping|34|61130-61197
Motala|31|59130-59197
Landskrona|34|26131-26194
Trelleborg|32|23130-23197
Lidköping|29|53130-53199
Ängelholm|29|26230-26296
Visby|26|62140-62197
Kiruna|17|98130-98197
Ystad|20|27130-27197
Eslöv|20|24130-24197
Mora|14|79230-79297
Kungsbacka|25|43430-43499
Piteå|24|94130-94197
Örnsköldsvik|33|89130-89197
Hässleholm|20|28130-28197
Katrineholm|25|64130-64197
Enköping|26|74530-74597`,
  zipStep: 1,
  formatZip: (zip) => `${String(zip).slice(0, 3)} ${String(zip).slice(3)}`,
  streets:
    'Storgatan, Skolgatan, Kyrkogatan, Drottninggatan, Ringvägen, Järnvägsgatan, Skolvägen, Björkvägen, Kungsgatan, Parkgatan, Trädgårdsgatan, Industrigatan, Nygatan, Östergatan, Västergatan, Norra vägen, Granvägen, Tallvägen, Rönnvägen, Ekvägen, Aspvägen, Lindvägen, Hantverkargatan, Vasagatan, Strandvägen, Bergsgatan, Bergsvägen, Sjögatan, Smedjegatan, Kvarngatan, Stationsvägen, Köpmangatan, Esplanaden, Fabriksgatan, Linnégatan, Sveavägen, Göteborgsvägen, Stockholmsvägen, Malmövägen, Slottsgatan, Hamngatan, Fiskargatan, Mellangatan, Lillgatan, Lundavägen, Nobelvägen, Amiralsgatan, Ängsvägen, Blåbärsvägen, Hallonvägen, Lingonstigen, Smultronvägen, Vallmovägen, Syrenvägen, Hagvägen, Backvägen, Dalvägen, Solvägen, Fågelvägen, Lärkvägen, Svalvägen, Älgvägen, Rådjursstigen, Odengatan, Torsgatan, Fredsgatan, Gjuterigatan, Prästgatan, Repslagaregatan, Södra Förstadsgatan, Norra Kungsgatan, Violvägen, Ljungvägen, Enbärsvägen, Kaptensgatan, Regementsgatan, Sturegatan, Birger Jarlsgatan, Folkungagatan, Bondegatan, Pilgatan, Vintergatan, Mossvägen, Kornvägen',
  extensions: {
    share: 0.34,
    values:
      'A, B, C, D, lgh 1001, lgh 1002, lgh 1101, lgh 1102, lgh 1103, lgh 1201, lgh 1202, lgh 1203, lgh 1301, lgh 1302, lgh 1402, A lgh 1102, B lgh 1201, E',
  },
  // All of these are held back for books and films by the Swedish Post and Telecom Authority (PTS, «Telefonnummer
  // till böcker och filmer»): 070-1740605…699, 08-46500400…499, 031-3900600…699, 040-6280400…499, 0980-319200…299.
  mobilePhones: [{ format: '070-174 0# ##', from: 605, to: 699 }],
  fixedPhones: [
    { format: '08-465 004 ##', from: 0, to: 99 },
    { format: '031-390 06 ##', from: 0, to: 99 },
    { format: '040-628 04 ##', from: 0, to: 99 },
    { format: '0980-31 92 ##', from: 0, to: 99 },
  ],
  legalForms: [
    { pattern: '{} AB', weight: 80, prefix: '598' },
    { pattern: '{} Aktiebolag', weight: 3, prefix: '598' },
    { pattern: '{} HB', weight: 8, prefix: '968' },
    { pattern: '{} KB', weight: 3, prefix: '968' },
    { pattern: '{} Ekonomisk förening', weight: 3, prefix: '798' },
  ],
  trades:
    'Bygg|41.20, El|43.21, VVS|43.22, Måleri|43.34, Golv & Kakel|43.33, Tak & Plåt|43.91, Bil|45.20, Bilservice|45.20, Livs|47.11, Mode|47.71, Åkeri|49.41, Taxi|49.32, Hotell|55.10, Restaurang|56.10, Pizzeria|56.10, Café|56.10, IT-konsult|62.02, Data|62.01, Fastigheter|68.20, Redovisning|69.20, Juristbyrå|69.10, Konsult|70.22, Arkitekter|71.11, Teknik|71.12, Reklambyrå|73.11, Bemanning|78.20, Städ|81.21, Trädgård|81.30, Tandvård|86.23, Frisör|96.02, Gym|93.13, Lantbruk|01.50, Skog|02.20, Mekaniska|25.62, Snickeri|16.23, Tryckeri|18.12',
  companyNames: [
    '{surname}s {trade}',
    '{surname}s {trade} i {city}',
    '{city} {trade}',
    '{word} {trade}',
    '{surname} & {surname2} {trade}',
    '{word} {trade} i {city}',
    '{surname} {trade}',
    '{surname} Holding',
  ],
  mailboxes: 'info, kontakt, faktura, ekonomi, kontor',
}
