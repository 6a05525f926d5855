import { runBench } from './main.ts'

await runBench(process.argv.slice(2))
