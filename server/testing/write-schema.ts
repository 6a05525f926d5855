// npm run schema: writes docs/schema.sql from a database with all migrations.
import { writeFile } from 'node:fs/promises'
import { openTestDatabase } from './database.ts'
import { describeSchema } from './describe-schema.ts'

const database = await openTestDatabase()
try {
  await writeFile(new URL('../../docs/schema.sql', import.meta.url), await describeSchema(database.sql))
} finally {
  await database.close()
}
