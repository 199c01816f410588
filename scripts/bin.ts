#!/usr/bin/env node
import { main } from "./main.ts";

const [name = "help", ...args] = process.argv.slice(2);
await main(name, args);
