/** The letters in Finnish. */
import type { LetterWords } from './letter-words.ts'

export const fi: LetterWords = {
  locale: 'fi-FI',
  date: 'Päiväys',
  reference: 'Viitteenne',
  caseNumber: 'Asia',
  idNumber: 'Henkilö-/Y-tunnus',
  columns: ['Asia', 'Velkoja', 'Pääoma', 'Korko', 'Kulut', 'Maksettava'],
  total: 'Yhteensä',
  nothing: 'Maksettavaa ei ole.',
  payment: 'Maksutiedot',
  amount: 'Määrä',
  account: 'Tilinumero',
  paymentReference: 'Viitenumero',
  due: 'Eräpäivä',
  page: 'Sivu',
  regards: 'Ystävällisin terveisin',
  footer: 'Käytä aina viitenumeroa. Korko on laskettu {date} asti.',
  kinds: {
    statement: {
      title: 'Tiliote',
      before: ['Rekisterimme mukaan seuraava on maksamatta {date}.'],
      after: ['Jos jokin on väärin, kirjoittakaa meille mitä ja miksi. Selvitämme asian ennen muita toimia.'],
    },
    reminder: {
      title: 'Maksumuistutus',
      before: ['Velkojan {client} mukaan seuraava on yhä maksamatta. Se on voinut jäädä huomaamatta.'],
      after: [
        'Jos olette jo maksanut, teidän ei tarvitse tehdä mitään. Jos kiistätte saatavan, kirjoittakaa meille ennen eräpäivää.',
      ],
    },
    demand: {
      title: 'Maksuvaatimus',
      before: [
        '{client} on antanut seuraavan saatavan perittäväksemme. Maksakaa se viimeistään {due}.',
        'Jos ette maksa ettekä esitä huomautusta siihen mennessä, asiassa voidaan ryhtyä oikeudellisiin toimiin, joista voi aiheutua lisäkuluja.',
      ],
      after: [
        'Jos kiistätte saatavan tai ette voi maksaa kaikkea kerralla, kirjoittakaa meille ennen eräpäivää: voimme sopia maksusuunnitelmasta.',
      ],
    },
    legal: {
      title: 'Ilmoitus oikeudellisista toimista',
      before: [
        'Maksuvaatimustamme ei ole noudatettu. Ellei velkojan {client} saatavaa makseta viimeistään {due}, valmistelemme haastehakemuksen.',
        'Siitä aiheutuvat kulut voidaan lisätä saatavaan.',
      ],
      after: [
        'Voitte yhä kiistää saatavan tai pyytää maksusuunnitelmaa. Kirjoittakaa meille ennen eräpäivää.',
      ],
    },
    surveillance: {
      title: 'Velkanne on yhä maksamatta',
      before: ['Seuraava velkojan {client} saatava on yhä maksamatta. Valvomme sitä, ja korko juoksee.'],
      after: [
        'Kun voitte maksaa kokonaan tai osittain, kirjoittakaa meille. Voimme sopia maksusuunnitelmasta.',
      ],
    },
  },
}
