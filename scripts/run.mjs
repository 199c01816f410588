// Starts a command on any Node: sets the project up when it is not, and moves to the locked Node when the system's is too old
// to run TypeScript. Plain JavaScript without dependencies, because it runs before there are any.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const home = join(dirname(fileURLToPath(import.meta.url)), "..");
const [name = "help", ...args] = process.argv.slice(2);

const installed = join(home, "node_modules", ".package-lock.json");
const upToDate = existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(home, "package-lock.json")).mtimeMs - 1000;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const runsTypeScript = major > 22 || (major === 22 && minor >= 18);

// Linked from another checkout, as with git worktrees: npm ci would empty the folder behind the link.
const linked = lstatSync(join(home, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() === true;

if (!upToDate && !linked && !process.env.LANDFALL_SET_UP) {
  process.stderr.write("Setting up: installing the locked packages (npm ci)…\n");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: home,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) {
    process.stderr.write("The packages could not be installed. Check the network or the registry, then run the command again.\n");
    process.exit(3);
  }
}
if (runsTypeScript) {
  // A command lives for a moment: a larger young generation spares it most garbage collections.
  setFlagsFromString("--max-semi-space-size=64");
  setFlagsFromString("--min-semi-space-size=32");
  // Not at the top: Node 20 has no such export, and comes this far only to hand over.
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(join(home, "node_modules", ".cache", "landfall"));
  const { main } = await import("./main.ts");
  await main(name, args);
} else {
  const locked = join(home, "node_modules", ".bin", "node");
  if (!existsSync(locked)) {
    process.stderr.write(
      `Node ${process.versions.node} cannot run this project from source. Install Node 22.18 or later, or run npm ci on Linux x64, which brings one.\n`,
    );
    process.exit(3);
  }
  const again = spawn(locked, [fileURLToPath(import.meta.url), name, ...args], {
    stdio: "inherit",
    env: { ...process.env, LANDFALL_SET_UP: "1" },
  });
  // A supervisor tells this process alone; a terminal tells both, so Ctrl-C is only waited out.
  process.on("SIGTERM", () => again.kill("SIGTERM"));
  process.on("SIGINT", () => {});
  again.on("exit", (code) => process.exit(code ?? 1));
}
