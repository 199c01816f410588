import type { InventoryFile } from "../model/shapes/observed.ts";
import type { ScanSettings } from "../model/shapes/scan.ts";
import type { TreeFinding } from "../model/tree.ts";

export interface Place {
  file: string;
  line: number;
}

/** A file of the tree, read as text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** A service, a build stage or a container that runs an image. */
export interface ImageUse extends Place {
  image: string;
  raw: string;
  service: string;
  /** A `build:` beside it makes the image here, so it is no upstream pin. */
  built: boolean;
}

export type PinUse = Omit<InventoryFile["pins"][number], "archived">;
export type Mount = Omit<InventoryFile["mounts"][number], "archived">;
export type Invocation = Omit<InventoryFile["invocations"][number], "archived">;
export type Start = Omit<NonNullable<InventoryFile["starts"]>[number], "archived">;
export type EnvFlag = Omit<InventoryFile["envFlags"][number], "archived">;
export type Citation = Omit<InventoryFile["references"][number], "archived">;

/** What one reader found in one file. Readers only report what their kind of file can hold. */
export interface Found {
  /** This file, when it is a compose file with services. */
  composes?: string[];
  images?: ImageUse[];
  pins?: PinUse[];
  mounts?: Mount[];
  invocations?: Invocation[];
  starts?: Start[];
  envFlags?: EnvFlag[];
  findings?: TreeFinding[];
}

/** An engine profile: what a launcher starts in place of a compose file's fallback. */
export interface Profile extends Place {
  id: string;
  value: string;
}

/** What a reader may ask about the rest of the tree. */
export interface Context {
  settings: ScanSettings;
  /** Another file of the tree, by its path from the top. */
  file: (path: string) => SourceFile | undefined;
  /** Variables of the `.env` that compose would read for a file in this folder. */
  envOf: (folder: string) => ReadonlyMap<string, string>;
  profiles: ReadonlyMap<string, Profile>;
  isProfile: (path: string) => boolean;
  isPatch: (path: string) => boolean;
  isOverlay: (target: string) => boolean;
  isFlag: (name: string) => boolean;
  isArchived: (path: string) => boolean;
  /** Which pin of `data/pins/` an environment variable sets, such as GENESIS_PIN. */
  pinOfEnv: ReadonlyMap<string, { kind: PinUse["kind"]; name: string }>;
}

/** Reads one kind of file. Pure: text in, findings out. */
export type Reader = (file: SourceFile, context: Context) => Found;
