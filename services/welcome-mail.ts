/** Writes to a new user how to sign in. No password is ever sent: they choose one by "forgotten password". */
import { defineService } from 'fordra/service'

interface Input {
  /** A line of the sender's own. */
  text?: string
}

const texts: Record<string, [subject: string, greeting: string]> = {
  en: [
    'Welcome',
    'you can now sign in with this e-mail address. Choose a password with "Forgotten password".',
  ],
  sv: ['Välkommen', 'nu kan du logga in med den här e-postadressen. Välj lösenord med ”Glömt lösenord”.'],
  no: ['Velkommen', 'nå kan du logge inn med denne e-postadressen. Velg passord med «Glemt passord».'],
  da: [
    'Velkommen',
    'nu kan du logge ind med denne e-mailadresse. Vælg en adgangskode med »Glemt adgangskode«.',
  ],
  fi: [
    'Tervetuloa',
    'voit nyt kirjautua tällä sähköpostiosoitteella. Valitse salasana kohdasta ”Unohtunut salasana”.',
  ],
  de: [
    'Willkommen',
    'Sie können sich jetzt mit dieser E-Mail-Adresse anmelden. Wählen Sie ein Passwort über „Passwort vergessen“.',
  ],
}

export default defineService<Input>({
  code: 'welcome-mail',
  scope: 'user',
  description: 'Writes to a user how to sign in, in the language of the user.',
  access: 'user.write',
  input: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 500 } },
    additionalProperties: false,
  },
  handler: async ({ text }, { api, item, sendMail }) => {
    const user = await api.call('getUser', { params: { userGuid: item!.guid } })
    const [subject, greeting] = texts[user.languageCode ?? 'en'] ?? texts['en']!
    await sendMail({ subject, text: [`${user.fullName}, ${greeting}`, ...(text ? [text] : [])].join('\n\n') })
  },
})
