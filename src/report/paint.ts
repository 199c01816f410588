import pc from "picocolors";

export type Paint = ReturnType<typeof paint>;

/** Colours for the terminal, or none. Colour is never the only sign of anything. */
export const paint = (on: boolean | undefined) => pc.createColors(on === true);
