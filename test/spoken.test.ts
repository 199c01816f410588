import { expect, it } from "vitest";
import { COMMANDS } from "../scripts/main.ts";
import { spoken } from "../scripts/spoken.ts";

it.each(Object.keys(COMMANDS))("the installed package names the command %s as its user types it", (name) => {
  expect(spoken(`Next: npm run ${name} -- --root ../stack.`, true)).toBe(`Next: npx landfall ${name} --root ../stack.`);
  expect(spoken(`(npm run ${name})`, true)).toBe(`(npx landfall ${name})`);
});

it("takes a line that was wrapped, a silent run and the placeholder of the help", () => {
  expect(spoken("then npm run\n  doctor tells", true)).toBe("then npx landfall\n  doctor tells");
  expect(spoken("npm run -s sync -- --json", true)).toBe("npx landfall sync --json");
  expect(spoken("npm run NAME -- --help", true)).toBe("npx landfall NAME --help");
});

it("leaves what is no command of this tool, and everything in a checkout", () => {
  for (const text of ["npm run dev -- --host", "npm run build-all", "npm running", "npm run test"]) expect(spoken(text, true)).toBe(text);
  expect(spoken("npm run scan -- FOLDER")).toBe("npm run scan -- FOLDER");
});
