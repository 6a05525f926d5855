/** A fault that the simulator has to find: it changes one place of one file. */
export interface PlantedFault {
  what: string
  file: string
  from: string
  to: string
}
