/** What the service writes to its users, in their language. */
import type { Language } from '../../../contract/platform/languages.ts'

export type MessageKind = 'mfa-code' | 'password-reset'

export interface MessageText {
  subject: string
  /** With `{secret}` and `{minutes}`. */
  body: string
}

const texts: Record<Language, Record<MessageKind, MessageText>> = {
  en: {
    'mfa-code': {
      subject: 'Your code',
      body: '{secret} is your Fordra code. It is good for {minutes} minutes. Never pass it on. If you did not ask for it, change your password.',
    },
    'password-reset': {
      subject: 'A new password',
      body: 'Somebody asked for a new password for your Fordra login. It can be set within {minutes} minutes with:\n\n{secret}\n\nIf it was not you, do nothing: your password stays as it is.',
    },
  },
  sv: {
    'mfa-code': {
      subject: 'Din kod',
      body: '{secret} är din kod till Fordra. Den gäller i {minutes} minuter. Lämna aldrig ut den. Har du inte bett om den, byt lösenord.',
    },
    'password-reset': {
      subject: 'Nytt lösenord',
      body: 'Någon har bett om ett nytt lösenord till din inloggning i Fordra. Det kan väljas inom {minutes} minuter med:\n\n{secret}\n\nVar det inte du behöver du inte göra något: ditt lösenord är oförändrat.',
    },
  },
  no: {
    'mfa-code': {
      subject: 'Din kode',
      body: '{secret} er din kode til Fordra. Den gjelder i {minutes} minutter. Gi den aldri videre. Har du ikke bedt om den, bytt passord.',
    },
    'password-reset': {
      subject: 'Nytt passord',
      body: 'Noen har bedt om et nytt passord til din innlogging i Fordra. Det kan velges innen {minutes} minutter med:\n\n{secret}\n\nVar det ikke deg, trenger du ikke å gjøre noe: passordet ditt er uendret.',
    },
  },
  da: {
    'mfa-code': {
      subject: 'Din kode',
      body: '{secret} er din kode til Fordra. Den gælder i {minutes} minutter. Giv den aldrig videre. Har du ikke bedt om den, så skift adgangskode.',
    },
    'password-reset': {
      subject: 'Ny adgangskode',
      body: 'Nogen har bedt om en ny adgangskode til dit login i Fordra. Den kan vælges inden for {minutes} minutter med:\n\n{secret}\n\nVar det ikke dig, skal du ikke gøre noget: din adgangskode er uændret.',
    },
  },
  fi: {
    'mfa-code': {
      subject: 'Koodisi',
      body: '{secret} on Fordra-koodisi. Se on voimassa {minutes} minuuttia. Älä anna sitä kenellekään. Jos et pyytänyt sitä, vaihda salasanasi.',
    },
    'password-reset': {
      subject: 'Uusi salasana',
      body: 'Fordra-tunnuksellesi on pyydetty uutta salasanaa. Sen voi asettaa {minutes} minuutin kuluessa:\n\n{secret}\n\nJos et pyytänyt sitä, sinun ei tarvitse tehdä mitään: salasanasi pysyy ennallaan.',
    },
  },
  de: {
    'mfa-code': {
      subject: 'Ihr Code',
      body: '{secret} ist Ihr Code für Fordra. Er gilt {minutes} Minuten. Geben Sie ihn niemals weiter. Wenn Sie ihn nicht angefordert haben, ändern Sie Ihr Passwort.',
    },
    'password-reset': {
      subject: 'Neues Passwort',
      body: 'Für Ihre Anmeldung bei Fordra wurde ein neues Passwort angefordert. Es kann innerhalb von {minutes} Minuten gesetzt werden mit:\n\n{secret}\n\nWenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt unverändert.',
    },
  },
}

export const messageKinds = Object.keys(texts.en) as MessageKind[]

/** The text of a message. `secret` is a code, a token or an address that holds one. */
export function textOf(
  kind: MessageKind,
  language: Language,
  { secret, minutes }: { secret: string; minutes: number },
): MessageText {
  const { subject, body } = texts[language][kind]
  return { subject, body: body.replace('{secret}', () => secret).replace('{minutes}', String(minutes)) }
}

/** With `{sender}`: what an e-mail says that brings a letter. The letter itself says everything else. */
const letterMails: Record<Language, string> = {
  en: 'A letter from {sender} to you is attached as a PDF file. It says what it is about, and how to reach us. Please do not answer this e-mail: nobody reads the answers.',
  sv: 'Ett brev till dig från {sender} är bifogat som PDF-fil. I brevet står vad det gäller och hur du når oss. Svara inte på det här meddelandet: svaren läses inte.',
  no: 'Et brev til deg fra {sender} er vedlagt som PDF-fil. I brevet står det hva det gjelder, og hvordan du når oss. Ikke svar på denne meldingen: svarene blir ikke lest.',
  da: 'Et brev til dig fra {sender} er vedhæftet som PDF-fil. I brevet står, hvad det drejer sig om, og hvordan du kontakter os. Svar ikke på denne besked: svarene bliver ikke læst.',
  fi: 'Liitteenä on sinulle osoitettu kirje PDF-tiedostona. Lähettäjä: {sender}. Kirjeestä selviää, mistä on kyse ja miten saat meihin yhteyden. Älä vastaa tähän viestiin: vastauksia ei lueta.',
  de: 'Ein Brief von {sender} an Sie ist als PDF-Datei angehängt. Darin steht, worum es geht und wie Sie uns erreichen. Bitte antworten Sie nicht auf diese Nachricht: Antworten werden nicht gelesen.',
}
export const letterMailText = (language: Language): string => letterMails[language]
