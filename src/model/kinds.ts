import type { z } from "zod";
import { cliff } from "./shapes/cliff.ts";
import type { Cliff } from "./shapes/cliff.ts";
import { item } from "./shapes/item.ts";
import type { Item } from "./shapes/item.ts";
import { measurement } from "./shapes/measurement.ts";
import type { Measurement } from "./shapes/measurement.ts";
import { patch } from "./shapes/patch.ts";
import type { Patch } from "./shapes/patch.ts";
import { pin } from "./shapes/pin.ts";
import type { Pin } from "./shapes/pin.ts";
import { tracker } from "./shapes/tracker.ts";
import type { Tracker } from "./shapes/tracker.ts";
import { followUp, trigger } from "./shapes/trigger.ts";
import type { FollowUp, Trigger } from "./shapes/trigger.ts";
import { upstream } from "./shapes/upstream.ts";
import type { Upstream } from "./shapes/upstream.ts";
import { variant } from "./shapes/variant.ts";
import type { Variant } from "./shapes/variant.ts";
import type { Kind } from "./vocabulary.ts";

/** The shape of every authored kind. The one place a kind is registered with its schema. */
export const SHAPES = { tracker, upstream, item, pin, patch, variant, cliff, measurement, trigger, followUp } satisfies Record<
  Kind,
  z.ZodType
>;

/** The authored rows of a stack, each kind by id, in id order. */
export interface Model {
  tracker: Tracker;
  upstream: Record<string, Upstream>;
  item: Record<string, Item>;
  pin: Record<string, Pin>;
  patch: Record<string, Patch>;
  variant: Record<string, Variant>;
  cliff: Record<string, Cliff>;
  measurement: Record<string, Measurement>;
  trigger: Record<string, Trigger>;
  followUp: Record<string, FollowUp>;
}
