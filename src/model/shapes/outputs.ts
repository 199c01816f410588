import { z } from "zod";
import { text } from "./common.ts";

export const WEBHOOK_SHAPES = ["slack", "discord", "matrix"] as const;
export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];

/** `outputs:` of `data/tracker.yaml`: where news goes beside the pull request. */
export const outputs = z.strictObject({
  issue: z
    .strictObject({
      label: text.default("landfall").meta({ description: "The label by which the issue is found; it is created with it." }),
      title: text.default("Where the stack stands upstream").meta({ description: "The issue's title." }),
    })
    .optional()
    .meta({ description: "One issue in the stack's own repository that always shows the present state." }),
  webhooks: z
    .array(
      z.strictObject({
        shape: z.enum(WEBHOOK_SHAPES).meta({ description: "Which chat it is: decides what is sent." }),
        url_env: z
          .string()
          .regex(/^[A-Z][A-Z0-9_]*$/, {
            error: "is not the name of an environment variable; the address itself is a secret and stays out of this file",
          })
          .meta({ description: "The environment variable that holds the webhook's address. The address itself is a secret." }),
      }),
    )
    .default([])
    .meta({ description: "Chats that are told what is new." }),
});
