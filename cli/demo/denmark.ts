/**
 * Denmark. Sources of the facts: name and population statistics of Statistics Denmark (orders and magnitudes,
 * rounded); zip codes by PostNord and Dataforsyningen.
 */
import type { Country } from './country.ts'

export const denmark: Country = {
  code: 'DK',
  currency: 'DKK',
  language: 'da',
  cohorts: [
    {
      bornUpTo: 1959,
      male: 'Jens Peter Hans Niels Jørgen Erik Poul Svend Ole Kurt Bent Knud Per John Leif Flemming Finn Preben Børge Henning Arne Steen Kaj Frede Verner Egon Torben Bjarne Ejner Willy Gunnar Bo',
      female:
        'Kirsten Inge Anna Birthe Else Inger Karen Lis Ruth Jytte Grethe Hanne Lene Aase Jette Bente Birgit Ingrid Tove Ellen Margit Annelise Ulla Marie Gerda Kirstine Ketty Vibeke Ingelise Rita Edith Elly',
    },
    {
      bornUpTo: 1989,
      male: 'Michael Lars Thomas Henrik Søren Jan Martin Morten Christian Jesper Anders Rasmus Brian Claus Kim Kenneth Allan Carsten Jacob Mads Kristian Dennis Mikkel Steen Jakob Daniel Peter Johnny René Bo Ulrik Tommy Casper Nicolai',
      female:
        'Mette Anne Susanne Charlotte Pia Tina Louise Lone Christina Camilla Maria Helle Heidi Rikke Marianne Maja Line Gitte Anja Trine Karina Dorthe Sanne Lotte Betina Malene Tanja Ditte Stine Pernille Signe Sofie Julie Katrine Winnie',
    },
    {
      bornUpTo: 2099,
      male: 'Frederik Mathias Emil Magnus Mikkel Oliver Christian Rasmus Simon Lucas Kasper Noah Victor William Tobias Anton Malthe Oscar Alexander Sebastian Gustav Jonas Nikolaj Mads Marcus Carl Valdemar Elias August Philip Villads Storm Aksel',
      female:
        'Emma Freja Julie Mathilde Ida Sofie Laura Cecilie Caroline Anna Maja Isabella Clara Sara Emilie Josefine Mille Frida Alma Olivia Signe Amalie Victoria Nanna Astrid Ella Agnes Liva Luna Rosa Filippa Johanne Lærke Karla',
    },
  ],
  surnames:
    'Nielsen 232, Jensen 231, Hansen 195, Andersen 144, Pedersen 142, Christensen 111, Larsen 107, Sørensen 103, Rasmussen 88, Jørgensen 82, Petersen 71, Madsen 60, Kristensen 58, Olsen 44, Thomsen 38, Christiansen 35, Poulsen 30, Johansen 29, Møller 30, Mortensen 27, Knudsen 28, Jakobsen 26, Jacobsen 24, Mikkelsen 24, Olesen 22, Frederiksen 22, Laursen 19, Henriksen 19, Lund 19, Schmidt 18, Eriksen 17, Holm 18, Kristiansen 17, Clausen 15, Simonsen 14, Svendsen 14, Andreasen 13, Iversen 12, Jeppesen 11, Mogensen 11, Jespersen 11, Nissen 10, Lauridsen 10, Frandsen 10, Østergaard 10, Jepsen 9, Kjær 9, Carlsen 9, Vestergaard 9, Jessen 9, Nørgaard 9, Dahl 9, Christoffersen 8, Skov 8, Søndergaard 8, Bertelsen 8, Bruun 8, Lassen 7, Bach 7, Gregersen 7, Friis 7, Johnsen 7, Steffensen 6, Kjeldsen 6, Bech 6, Krogh 6, Lauritsen 6, Danielsen 6, Mathiesen 6, Andresen 6, Brandt 5, Winther 5, Toft 5, Ravn 5, Mathiasen 5, Dam 5, Holst 5, Lind 5, Mølgaard 3, Berg 4, Schou 4, Overgaard 4, Bang 3, Juhl 4, Bonde 3, Enevoldsen 3',
  tail: {
    share: 0.14,
    beginnings:
      'Nør Sønder Vester Øster Kirke Bække Høj Lund Skov Damm Kild Ager Eng Hede Bro Mose Lille Dal Ris Klit Birke Elle Tofte',
    ends: 'gaard bjerg holm bæk dahl lund toft rup skov gård sted',
  },
  newcomers: {
    share: 0.12,
    origins: {
      turkish: 18,
      arabic: 24,
      polish: 14,
      balkan: 10,
      southAsian: 9,
      somali: 6,
      persian: 6,
      asian: 6,
      baltic: 5,
    },
  },
  cities: `København K|60|1050-1473
København V|70|1550-1799
København Ø|80|2100-2100
København N|80|2200-2200
København S|90|2300-2300
København NV|50|2400-2400
København SV|40|2450-2450
Frederiksberg|105|2000-2000
Valby|60|2500-2500
Aarhus C|70|8000-8000
Aarhus N|45|8200-8200
Aarhus V|50|8210-8210
Odense C|50|5000-5000
Odense M|25|5230-5230
Odense SØ|30|5220-5220
Odense N|15|5270-5270
Aalborg|70|9000-9000
Aalborg Øst|20|9220-9220
Esbjerg|30|6700-6700
Esbjerg Ø|20|6705-6705
Randers C|30|8900-8900
Kolding|50|6000-6000
Horsens|60|8700-8700
Vejle|45|7100-7100
Roskilde|55|4000-4000
Herning|45|7400-7400
Silkeborg|45|8600-8600
Hørsholm|25|2970-2970
Helsingør|40|3000-3000
Næstved|45|4700-4700
Viborg|40|8800-8800
Fredericia|40|7000-7000
Køge|38|4600-4600
Holstebro|35|7500-7500
Taastrup|35|2630-2630
Slagelse|35|4200-4200
Hillerød|36|3400-3400
Holbæk|30|4300-4300
Sønderborg|28|6400-6400
Svendborg|28|5700-5700
Hjørring|26|9800-9800
Frederikshavn|24|9900-9900
Nørresundby|24|9400-9400
Haderslev|22|6100-6100
Skive|21|7800-7800
Ringsted|23|4100-4100
Nykøbing F|17|4800-4800
Aabenraa|16|6200-6200
Kalundborg|16|4400-4400
Nyborg|17|5800-5800
Thisted|13|7700-7700
Rønne|14|3700-3700`,
  zipStep: 1,
  formatZip: (zip) => String(zip),
  streets:
    'Vestergade, Østergade, Nørregade, Søndergade, Skolevej, Kirkevej, Møllevej, Strandvejen, Stationsvej, Bredgade, Storegade, Algade, Jernbanegade, Industrivej, Birkevej, Bøgevej, Elmevej, Lindevej, Granvej, Fyrrevej, Rosenvej, Violvej, Skovvej, Engvej, Bakkevej, Parkvej, Kirkegade, Havnegade, Nygade, Torvegade, Kongensgade, Dronningensgade, Skolegade, Solvej, Lærkevej, Svalevej, Drosselvej, Højvej, Ringvej, Toftevej, Mosevej, Kærvej, Lyngvej, Tjørnevej, Hasselvej, Ahornvej, Egevej, Pilevej, Poppelvej, Syrenvej, Tulipanvej, Nellikevej, Hovedgaden, Byvej, Sønder Allé, Frederiksgade, Vesterbrogade, Nørrebrogade, Amagerbrogade, Østerbrogade, Gammel Kongevej, Jagtvej, Åboulevarden, Slotsgade, Klostergade, Præstegårdsvej, Smedegade, Teglværksvej, Vibevej, Fasanvej, H.C. Andersens Boulevard, Tagensvej, Frederikssundsvej, Randersvej, Silkeborgvej, Viborgvej, Hobrovej',
  extensions: {
    share: 0.42,
    values:
      'st. th., st. tv., 1. th., 1. tv., 1. mf., 2. th., 2. tv., 3. th., 3. tv., 4. th., 4. tv., A, B, C, 2. mf., 5. tv., kl. tv.',
  },
  // No block for fiction is published for Denmark. 20 00 ## ## is within the numbering plan but in no block that
  // the full tables of libphonenumber know as handed out: our choice, not a reservation.
  mobilePhones: [{ format: '20 00 ## ##', from: 1000, to: 4999 }],
  fixedPhones: [{ format: '20 00 ## ##', from: 5000, to: 9999 }],
  legalForms: [
    { pattern: '{} ApS', weight: 70, prefix: '9' },
    { pattern: '{} A/S', weight: 20, prefix: '9' },
    { pattern: '{} I/S', weight: 6, prefix: '9' },
    { pattern: '{} A.M.B.A.', weight: 2, prefix: '9' },
  ],
  trades:
    'Byg|41.20, El|43.21, VVS|43.22, Malerfirma|43.34, Gulve|43.33, Tagdækning|43.91, Biler|45.20, Autoværksted|45.20, Købmand|47.11, Mode|47.71, Vognmandsforretning|49.41, Taxi|49.32, Hotel|55.10, Restaurant|56.10, Pizzeria|56.10, Café|56.10, Software|62.01, IT|62.02, Ejendomme|68.20, Revision|69.20, Rådgivning|70.22, Arkitekter|71.11, Ingeniører|71.12, Reklame|73.11, Vikarbureau|78.20, Rengøring|81.21, Haveservice|81.30, Tandklinik|86.23, Frisør|96.02, Fitness|93.13, Landbrug|01.50, Maskinfabrik|25.62, Snedkeri|16.23, Tømrer|43.32, Bogtryk|18.12',
  companyNames: [
    '{surname} {trade}',
    '{surname}s {trade}',
    '{word} {trade}',
    '{surname} & {surname2} {trade}',
    '{surname} Holding',
    '{surname} & Søn {trade}',
  ],
  mailboxes: 'info, kontakt, mail, bogholderi, faktura',
}
