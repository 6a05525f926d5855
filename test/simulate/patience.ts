/** How many times longer than usual a run may take on a machine that is much too busy. */
export const patience = Number(process.env['FORDRA_SIMULATE_PATIENCE'] ?? 1)
