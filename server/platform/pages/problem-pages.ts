import { exampleProblem } from '../../../contract/openapi/openapi-problems.ts'
import { problems, type ProblemKind } from '../../../contract/platform/problem.ts'
import { html, type Html } from './html.ts'
import { renderMarkdown } from './markdown.ts'

const kinds = Object.keys(problems) as ProblemKind[]

/** The kind with that name; undefined when there is none. */
export const findProblemKind = (name: string): ProblemKind | undefined => kinds.find((kind) => kind === name)

/** A kind of problem as JSON. `type` and `code` are the same as in the problem itself. */
export function describeProblem(kind: ProblemKind) {
  const [status, title, help] = problems[kind]
  return { type: `/problems/${kind}`, code: kind, status, title, help, example: exampleProblem(kind) }
}

export const renderProblemList = (): Html =>
  html`<h1>Problems</h1>
    <p>
      Every failure that the API reports is one of these. Its <code>type</code> leads to the page of its kind
      here, and its <code>code</code> never changes.
    </p>
    <table>
      <caption>
        Kinds of problem
      </caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Problem</th>
          <th scope="col">Code</th>
        </tr>
      </thead>
      <tbody>
        ${kinds.map((kind) => {
          const [status, title] = problems[kind]
          return html`<tr>
            <td>${status}</td>
            <th scope="row"><a href="/problems/${kind}">${title}</a></th>
            <td><code>${kind}</code></td>
          </tr>`
        })}
      </tbody>
    </table>`

export function renderProblem(kind: ProblemKind): Html {
  const { status, title, help, example } = describeProblem(kind)
  return html`<h1>${title}</h1>
    <p>Status ${status}, code <code>${kind}</code>.</p>
    <h2>What it means and how to mend it</h2>
    ${renderMarkdown(help)}
    <h2>Example</h2>
    <pre><code>${JSON.stringify(example, undefined, 2)}</code></pre>
    <p><a href="/problems">All problems</a></p>`
}

export const renderNoProblem = (): Html =>
  html`<h1>No such problem</h1>
    <p>There is no problem of that name. <a href="/problems">All problems</a> are listed.</p>`
