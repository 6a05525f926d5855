/** Orders two texts by their code units, for `sort`: negative, zero or positive. */
export const compareTexts = (one: string, other: string): number => Number(one > other) - Number(one < other)
