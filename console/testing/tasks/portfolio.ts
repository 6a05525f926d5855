/** A file of 1,000 debtors in windows-1252, with the columns of another system. Every 50th row is wrong. */
export const portfolio = (prefix: string) => ({
  name: 'kunder.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Kundnummer;Efternamn;Gatuadress;Postnr;Postort;Land;Anteckning;Skapad',
      ...Array.from(
        { length: 1000 },
        (_, index) =>
          `${prefix}${index};Sjöberg${index};Storgatan ${index};${index % 50 === 0 ? 'nej' : '211 42'};Malmö;SE;"Ringde\ntvå gånger";Stockholm`,
      ),
    ].join('\n'),
    'latin1',
  ),
})
