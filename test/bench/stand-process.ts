import { plainWorld } from "../observe/plain-world.ts";
import { startGithub } from "../stand/github.ts";

/** A mini-GitHub in a process of its own, so that what a sync costs can be measured apart from it. Arguments: references, repositories. */
const [count = "100", repos = "10"] = process.argv.slice(2);
const { world } = plainWorld(Number(count), Number(repos));
const github = await startGithub(world, { limits: { core: 1e6, graphql: 1e6 } });
process.stdout.write(`${github.url}\n`);
process.on("disconnect", () => void github.close());
process.on("SIGTERM", () => void github.close().then(() => process.exit(0)));
