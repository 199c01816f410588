import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath, noBrowser } from "./browser.ts";
import type { Screen } from "./journey.ts";
import { SCREENS, close, journey } from "./journey.ts";

/** A way through the site that somebody comes for: from a page over links to the page that answers. */
interface Way {
  name: string;
  from: string;
  /** Texts of the links to follow, each on the page that the one before led to; a selector narrows down where. */
  over: { in?: string; link: string | RegExp; to: string }[];
  /** What the last page shows. */
  says: string[];
}

const WAYS: Way[] = [
  {
    name: "from what needs attention to the trigger that fired",
    from: "",
    over: [
      {
        in: "[aria-labelledby='att-trigger-fired']",
        link: "Test P103 once its gate admits a single sequence",
        to: "triggers/#retest-p103-single-seq-gate",
      },
    ],
    says: ["genesis-vllm-patches#18 is closed", "Then run again", "It counts when"],
  },
  {
    name: "from the load-bearing patch that does not work to why",
    from: "",
    over: [{ in: "main > .reason", link: /^P64/, to: "patches/genesis-p64/" }],
    says: ["Does it still apply?", "Another patch mounts its target read-only", "Where it is delivered", "What it stands in for"],
  },
  {
    name: "from a number of the whole to its rows",
    from: "",
    over: [{ in: ".whole", link: /Merged, awaiting propagation in vLLM/, to: "tracker/?upstream=vllm&status=awaiting-propagation" }],
    says: ["Pad sub-tile output sizes in the Marlin kernel"],
  },
  {
    name: "from the tracker to a row, and on to the pin that lacks it",
    from: "tracker/",
    over: [
      { in: "#vllm-marlin-pad-sub-tile", link: "Pad sub-tile output sizes in the Marlin kernel", to: "items/vllm-marlin-pad-sub-tile/" },
      { in: "#pin-vllm-nightly-mtp", link: "vLLM nightly 01d4d1ad, the one Genesis allows", to: "pins/vllm-nightly-mtp/" },
    ],
    says: ["Before a bump", "What it has and lacks", "Lacks it", "When it can go", "Who uses it"],
  },
  {
    name: "from a row to what would change it and to what carries it",
    from: "items/vllm-marlin-pad-sub-tile/",
    over: [{ in: "aside", link: "Marlin: pad sub-tile output dims when loading", to: "patches/vllm-marlin-pad/" }],
    says: ["Waits for something that can never come true", "Where it is delivered", "Name vllm#45295 instead"],
  },
  {
    name: "from a verdict of the matrix to its evidence",
    from: "matrix/",
    over: [{ in: "tbody tr:first-child", link: "Lacks it", to: "items/vllm-marlin-pad-sub-tile/#pin-vllm-nightly-clean" }],
    says: ["9eaacb23ec is no ancestor of vllm-nightly-clean"],
  },
  {
    name: "from a cliff to a run behind it",
    from: "cliffs/",
    over: [
      { link: "Cliff 1", to: "cliffs/cliff-1/" },
      { in: ".runs", link: "48K + 0.92 + TQ3 + vision, 25K tool prefill", to: "measurements/" },
    ],
    says: ["What was run", "Passed", "25,000 tokens"],
  },
  {
    name: "from a number of a configuration to the run in which it was measured",
    from: "cards/",
    over: [{ in: "#llamacpp-default", link: "20", to: "measurements/" }],
    says: ["llama.cpp"],
  },
  {
    name: "from the picture to what hangs on one pin",
    from: "picture/",
    over: [{ link: "vllm-nightly-mtp", to: "pins/vllm-nightly-mtp/#picture" }],
    says: ["What hangs on it", "The same as text"],
  },
  {
    name: "from the foot of a page to feeds, and on to the machine faces",
    from: "patches/",
    over: [
      { in: "footer", link: "Feeds and calendar", to: "changes/" },
      { in: "footer", link: "JSON", to: "api/" },
    ],
    says: ["status.json", "status.schema.json", "follow-ups.ics", "Badges"],
  },
  {
    name: "from the guides to how a pin is bumped, and on to the pins",
    from: "guides/",
    over: [
      { in: "table", link: "Bump a pin", to: "guides/bump-a-pin/" },
      { in: "main", link: "pin's page", to: "pins/" },
    ],
    says: ["In use", "Who uses a pin is counted in the tree"],
  },
  {
    name: "from a verdict's guide to what the statuses mean",
    from: "guides/read-a-verdict/",
    over: [{ in: "main", link: "nine statuses", to: "reference/words/#statuses" }],
    says: ["Merged, awaiting propagation", "merged upstream, but at least one pin that needs it lacks it or cannot be proved to have it"],
  },
];

type Go = (page: Page, link: Locator) => Promise<void>;
const clicked: Go = (_, link) => link.click();

/** Tab until the link has the focus, which has to be seen, then Enter. */
async function pressed(page: Page, link: Locator): Promise<void> {
  const target = await link.elementHandle();
  for (let n = 0; n < 400; n++) {
    await page.keyboard.press("Tab");
    if (!(await page.evaluate((element) => document.activeElement === element, target))) continue;
    const { outline, inside } = await link.evaluate((element) => {
      const box = element.getBoundingClientRect();
      return { outline: getComputedStyle(element).outlineStyle, inside: box.bottom > 0 && box.top < innerHeight && box.width > 0 };
    });
    expect([outline, inside]).toEqual(["solid", true]);
    await page.keyboard.press("Enter");
    return;
  }
  throw new Error("The keyboard does not reach the link");
}

const { desk, phone } = SCREENS;
/** Each means, each width and each scheme, in pairs that meet: what a page does depends on none of them together. */
const MEANS: { name: string; go: Go; screen: Screen; javaScriptEnabled: boolean }[] = [
  { name: "by mouse", go: clicked, screen: desk.light, javaScriptEnabled: true },
  { name: "by mouse", go: clicked, screen: phone.dark, javaScriptEnabled: true },
  { name: "by keyboard", go: pressed, screen: desk.dark, javaScriptEnabled: true },
  { name: "without JavaScript, by keyboard", go: pressed, screen: phone.light, javaScriptEnabled: false },
];

describe.skipIf(browserPath === undefined)(`ways through the site${noBrowser}`, () => {
  const { open, url } = journey();
  describe.each(MEANS)("$name at $screen.name", ({ go, screen, javaScriptEnabled }) => {
    it.each(WAYS)("$name", async (way) => {
      const page = await open(way.from, { ...screen.options, javaScriptEnabled });
      await follow(page, way, go);
      await close(page);
    });
  });

  async function follow(page: Page, { over, says }: Way, go: Go): Promise<void> {
    for (const step of over) {
      const place = step.in === undefined ? page.locator("main") : page.locator(step.in).first();
      const link = place.getByRole("link", typeof step.link === "string" ? { name: step.link, exact: true } : { name: step.link }).first();
      await go(page, link);
      await page.waitForURL((at) => at.href.startsWith(url(step.to)));
    }
    for (const words of says) expect(await page.getByText(words).filter({ visible: true }).count(), words).toBeGreaterThan(0);
  }
});
