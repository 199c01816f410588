// Around `npm pack`: the published package.json has no tooling of this repository in it. npm runs "prepack" before it reads
// the file and "postpack" after it packed; what stands in the repository is put back byte for byte.
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const [step] = process.argv.slice(2);
const kept = "package.json.kept";
if (step === "prepare") {
  copyFileSync("package.json", kept);
  const { devDependencies, optionalDependencies, overrides, scripts, ...published } = JSON.parse(readFileSync("package.json", "utf8"));
  // Overrides hold at the root alone: the versions this repository was tested with are asked for as dependencies there.
  for (const [name, version] of Object.entries(overrides)) if (/^\d/.test(version)) published.dependencies[name] = version;
  // npm reads the hook that puts the file back from the file it packs.
  published.scripts = { postpack: scripts.postpack };
  writeFileSync("package.json", `${JSON.stringify(published, undefined, 2)}\n`);
} else if (step === "restore") {
  renameSync(kept, "package.json");
} else {
  process.stderr.write("Use: node scripts/package.mjs prepare | restore\n");
  process.exitCode = 3;
}
