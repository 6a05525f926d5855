/** The letters in German. */
import type { LetterWords } from './letter-words.ts'

export const de: LetterWords = {
  locale: 'de-DE',
  date: 'Datum',
  reference: 'Ihr Zeichen',
  caseNumber: 'Akte',
  idNumber: 'Kennnummer',
  columns: ['Akte', 'Gläubiger', 'Hauptforderung', 'Zinsen', 'Kosten', 'Zu zahlen'],
  total: 'Summe',
  nothing: 'Es ist nichts zu zahlen.',
  payment: 'So zahlen Sie',
  amount: 'Betrag',
  account: 'Konto',
  paymentReference: 'Verwendungszweck',
  due: 'Zahlbar bis',
  page: 'Seite',
  regards: 'Mit freundlichen Grüßen',
  footer: 'Geben Sie immer den Verwendungszweck an. Die Zinsen sind bis zum {date} berechnet.',
  kinds: {
    statement: {
      title: 'Forderungsaufstellung',
      before: ['Nach unseren Unterlagen ist am {date} offen:'],
      after: [
        'Stimmt etwas nicht, schreiben Sie uns bitte, was und warum. Wir prüfen es, bevor etwas anderes geschieht.',
      ],
    },
    reminder: {
      title: 'Zahlungserinnerung',
      before: ['Nach Angabe von {client} ist Folgendes noch offen. Vielleicht haben Sie es übersehen.'],
      after: [
        'Haben Sie bereits gezahlt, brauchen Sie nichts zu tun. Bestreiten Sie die Forderung, schreiben Sie uns bitte vor der Frist.',
      ],
    },
    demand: {
      title: 'Zahlungsaufforderung',
      before: [
        '{client} hat uns mit dem Einzug der folgenden Forderung beauftragt. Bitte zahlen Sie bis zum {due}.',
        'Zahlen Sie bis dahin nicht und erheben Sie keine Einwände, können gerichtliche Schritte folgen, die weitere Kosten verursachen.',
      ],
      after: [
        'Bestreiten Sie die Forderung oder können Sie nicht alles auf einmal zahlen, schreiben Sie uns bitte vor der Frist: Wir können Raten vereinbaren.',
      ],
    },
    legal: {
      title: 'Ankündigung gerichtlicher Schritte',
      before: [
        'Unsere Zahlungsaufforderung blieb ohne Erfolg. Wird die Forderung von {client} nicht bis zum {due} gezahlt, bereiten wir einen Mahnantrag vor.',
        'Die Kosten dafür können zur Forderung hinzukommen.',
      ],
      after: [
        'Sie können weiterhin Einwände erheben oder um Raten bitten. Schreiben Sie uns bitte vor der Frist.',
      ],
    },
    surveillance: {
      title: 'Ihre Schuld besteht weiter',
      before: [
        'Die folgende Forderung von {client} ist noch offen. Wir überwachen sie, und die Zinsen laufen weiter.',
      ],
      after: [
        'Sobald Sie ganz oder teilweise zahlen können, schreiben Sie uns bitte. Wir können Raten vereinbaren.',
      ],
    },
  },
}
