import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Reference,
} from '../../../contract/openapi/openapi-document.ts'
import { html, type Html } from './html.ts'
import { renderMarkdown } from './markdown.ts'

/** The API reference: every operation and schema of the document as text and tables, and the contents to stand beside it. */
export function renderReference(document: OpenApiDocument): { nav: Html; body: Html } {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const areas = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return { nav: renderContents(areas), body: renderBody(document, areas) }
}

interface Area {
  name: string
  description: string
  operations: Entry[]
}

const renderContents = (areas: readonly Area[]): Html =>
  html`<nav aria-label="Contents">
    ${areas.map(
      ({ name, operations }) =>
        html`<h2>${name}</h2>
          <ul>
            ${operations.map(
              ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
            )}
          </ul>`,
    )}
    <h2>More</h2>
    <ul>
      <li><a href="#schemas">Schemas</a></li>
      <li><a href="/problems">Problems</a></li>
    </ul>
  </nav>`

const renderBody = (document: OpenApiDocument, areas: readonly Area[]): Html =>
  html`<h1>API reference, version ${document.info.version}</h1>
    <p>Addresses begin with <code>${document.servers[0]?.url}</code>.</p>
    <section aria-label="Introduction">${renderMarkdown(document.info.description)}</section>
    ${areas.map(
      ({ name, description, operations }) =>
        html`<section>
          <h2>${name}</h2>
          <p>${description}</p>
          ${operations.map((entry) => renderOperation(document, entry))}
        </section>`,
    )}
    <section id="schemas">
      <h2>Schemas</h2>
      ${Object.entries(document.components.schemas).map(
        ([name, schema]) =>
          html`<h3 id="schema-${name}">${name}</h3>
            ${renderMembers(name, schema)}`,
      )}
    </section>`

interface Entry {
  path: string
  method: string
  operation: OperationObject
}

function renderOperation(document: OpenApiDocument, { path, method, operation }: Entry): Html {
  const media = operation.requestBody?.content['application/json']
  return html`<article id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <p><code>${method} ${path}</code></p>
    ${renderMarkdown(operation.description ?? '')} ${renderParameters(document, operation)}
    ${
      media &&
      html`<h4>Body</h4>
        <p>${renderType(media.schema)}</p>
        ${renderExample(media.example)}`
    }
    <h4>Answers</h4>
    <ul>
      ${Object.entries(operation.responses).map(([status, response]) => renderAnswer(document, status, response))}
    </ul>
  </article>`
}

/** The part itself, or the one of the shared parts that it refers to. */
const resolve = <T extends object>(shared: Record<string, T>, part: T | Reference): T =>
  '$ref' in part ? shared[part.$ref.split('/').at(-1)!]! : part

function renderParameters(document: OpenApiDocument, { parameters = [] }: OperationObject): Html {
  const rows = parameters
    .map((parameter) => resolve(document.components.parameters, parameter))
    .map(
      ({ name, in: place, required, description, schema }) =>
        html`<tr>
          <th scope="row"><code>${name}</code></th>
          <td>${place}${required ? ', required' : ''}</td>
          <td>${renderType(schema)}</td>
          <td>${renderMarkdown(description ?? '')}</td>
        </tr>`,
    )
  return html`<table>
    <caption>
      Parameters
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">In</th>
        <th scope="col">Type</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

function renderAnswer(
  document: OpenApiDocument,
  status: string,
  response: OperationObject['responses'][string],
): Html {
  const { description, content = {} } = resolve(document.components.responses, response)
  const [media] = Object.values(content)
  if (Number(status) < 400) {
    return html`<li>
      ${status}: ${media && renderType(media.schema)}${media && renderExample(media.example)}
    </li>`
  }
  const kinds = Object.entries(media?.examples ?? {}).map(
    ([kind, { summary }], index) => html`${index > 0 ? ', ' : ''}<a href="/problems/${kind}">${summary}</a>`,
  )
  return html`<li>${status}: ${kinds.length > 0 ? kinds : description}</li>`
}

const renderExample = (example: unknown): Html =>
  html`<pre><code>${JSON.stringify(example, undefined, 2) ?? ''}</code></pre>`

/** A schema in a few words, with a link where it has a name. */
function renderType(schema: JsonSchema): Html {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1)!
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.type === 'array' && schema.items) return html`list of ${renderType(schema.items as JsonSchema)}`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  const limits = [
    schema.format,
    schema.minimum !== undefined && `from ${String(schema.minimum)}`,
    schema.maximum !== undefined && `to ${String(schema.maximum)}`,
    schema.maxLength !== undefined && `at most ${String(schema.maxLength)} characters`,
    schema['x-day'] === true && 'day',
    schema['x-lookup'] !== undefined && `lookup ${String(schema['x-lookup'])}`,
  ].filter((limit) => typeof limit === 'string')
  return html`${[[schema.type ?? 'any'].flat().join(' or '), ...limits].join(', ')}`
}

function renderMembers(name: string, { properties = {}, required = [] }: JsonSchema): Html {
  const needed = required as string[]
  const rows = Object.entries(properties as Record<string, JsonSchema>).map(
    ([member, schema]) =>
      html`<tr>
        <th scope="row"><code>${member}</code></th>
        <td>${renderType(schema)}</td>
        <td>${needed.includes(member) ? 'always' : ''}</td>
        <td>${renderMarkdown(describeSchema(schema))}</td>
      </tr>`,
  )
  return html`<table>
    <caption>
      Members of ${name}
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Type</th>
        <th scope="col">Present</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

const describeSchema = ({ title, description }: JsonSchema): string =>
  [title, description].filter((text) => typeof text === 'string').join('. ')
