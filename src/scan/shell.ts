/**
 * A lexer for shell scripts: which simple commands does a script hold, word by word, with their lines.
 *
 * It does not execute or expand anything. sh-syntax, the WASM build of a real shell parser, was measured first: 8 ms a script, and
 * its tree ends at statements without their words. It serves as the oracle of this module's test instead.
 */
export interface Word {
  /** Without quotes; `$NAME`, `${…}` and `$(…)` are kept as written. */
  text: string;
  line: number;
  /** Taken over from another file: every word inside it stands at this line of the file that takes it over. */
  fixed?: true;
}

export interface Command {
  words: Word[];
  /** `NAME=value` before the command, or on its own. */
  assigns: { name: string; value: Word }[];
}

/** Words that stand before a command and are none. */
const KEYWORDS = new Set(["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "time", "!", "{", "}", "esac", "coproc"]);

const SPACE = new Set(" \t\v\r\f");
/** What ends a word. */
const ENDS = new Set(" \t\v\r\f\n;&|()<>");
/** A run of characters that mean themselves. */
const PLAIN = /[^ \t\v\r\f\n;&|()<>\\'"$`]+/y;

const ASSIGNMENT = /([A-Za-z_]\w*)\+?=/y;

/** Lists every simple command, those inside `$(…)` and backticks too. A vertical tab counts as a folded line end. */
export function commandsOf(script: string, firstLine = 1): Command[] {
  const commands: Command[] = [];
  let command: Command = { words: [], assigns: [] };
  let at = 0;
  let line = firstLine;
  let heredocs: { end: string; tabs: boolean }[] = [];
  /** Inside `case … in`, where words before a `)` are patterns. */
  let cases = 0;

  const flush = () => {
    if (command.words.length > 0 || command.assigns.length > 0) commands.push(command);
    command = { words: [], assigns: [] };
  };

  const skipHeredocs = () => {
    for (const { end, tabs } of heredocs) {
      while (at < script.length) {
        const stop = script.indexOf("\n", at);
        const text = script.slice(at, stop < 0 ? script.length : stop);
        at = stop < 0 ? script.length : stop + 1;
        line++;
        if ((tabs ? text.replace(/^[\t ]+/, "") : text).trimEnd() === end) break;
        if (stop < 0) break;
      }
    }
    heredocs = [];
  };

  const inner = (text: string, from: number) => commands.push(...commandsOf(text, from));

  /** Reads from after an opening bracket to its partner; quotes inside are respected. Returns the text between. */
  const balanced = (open: string, close: string): string => {
    const start = at;
    for (let depth = 1; at < script.length; at++) {
      const char = script[at];
      if (char === "\n" || char === "\v") line++;
      else if (char === "\\") {
        if (script[++at] === "\n") line++;
      } else if ((char === "'" || char === '"') && open === "(") {
        const end = closingQuote(script, at);
        line += newlines(script.slice(at, end));
        at = end;
      } else if (char === open) depth++;
      else if (char === close && --depth === 0) {
        at++;
        return script.slice(start, at - 1);
      }
    }
    return script.slice(start, at);
  };

  const dollar = (): string => {
    const start = at;
    const from = line;
    at++;
    if (script.startsWith("((", at)) {
      at += 2;
      balanced("(", ")");
      if (script[at] === ")") at++;
    } else if (script[at] === "(") {
      at++;
      inner(balanced("(", ")"), from);
    } else if (script[at] === "{") {
      at++;
      balanced("{", "}");
    }
    return script.slice(start, at);
  };

  const backtick = (): string => {
    const start = at;
    const from = line;
    const end = script.indexOf("`", at + 1);
    at = end < 0 ? script.length : end + 1;
    const text = script.slice(start + 1, at - 1);
    line += newlines(text);
    inner(text, from);
    return script.slice(start, at);
  };

  const word = (): Word => {
    const first = line;
    let text = "";
    while (at < script.length) {
      PLAIN.lastIndex = at;
      const plain = PLAIN.exec(script)?.[0];
      if (plain !== undefined) {
        text += plain;
        at += plain.length;
      }
      const char = script[at] ?? " ";
      if (ENDS.has(char)) break;
      if (char === "\\") {
        if (script[at + 1] === "\n") line++;
        else text += script[at + 1] ?? "";
        at += 2;
      } else if (char === "'") {
        const end = script.indexOf("'", at + 1);
        const stop = end < 0 ? script.length : end;
        const part = script.slice(at + 1, stop);
        line += newlines(part);
        text += part;
        at = stop + 1;
      } else if (char === '"') {
        at++;
        while (at < script.length && script[at] !== '"') {
          const inside = script[at] ?? "";
          if (inside === "\\" && /[$`"\\\n]/.test(script[at + 1] ?? "")) {
            if (script[at + 1] === "\n") line++;
            else text += script[at + 1];
            at += 2;
          } else if (inside === "$") text += dollar();
          else if (inside === "`") text += backtick();
          else {
            if (inside === "\n" || inside === "\v") line++;
            text += inside === "\v" ? " " : inside;
            at++;
          }
        }
        at++;
      } else if (char === "$" && script[at + 1] !== "'" && script[at + 1] !== '"') text += dollar();
      else if (char === "$") at++;
      else text += backtick();
    }
    return { text, line: first };
  };

  while (at < script.length) {
    const char = script[at] ?? "";
    if (char === "\n") {
      at++;
      line++;
      flush();
      if (heredocs.length > 0) skipHeredocs();
    } else if (char === " " || SPACE.has(char)) {
      if (char === "\v") line++;
      at++;
    } else if (char === "\\" && script[at + 1] === "\n") {
      at += 2;
      line++;
    } else if (char === "#") {
      const end = script.indexOf("\n", at);
      at = end < 0 ? script.length : end;
    } else if (char === "<" || char === ">" || (char === "&" && script[at + 1] === ">")) {
      redirect();
    } else if (char === ";" || char === "&" || char === "|") {
      at++;
      flush();
    } else if (char === "(" || char === ")") {
      at++;
      // A pattern of a case branch is no command.
      if (char === ")" && cases > 0 && command.words.length === 1 && command.assigns.length === 0) command = { words: [], assigns: [] };
      flush();
    } else take();
  }
  flush();
  return commands;

  /** Skips a redirection and its target; remembers a here-document, whose body is text and holds no commands. */
  function redirect() {
    if (script.startsWith("<<<", at)) {
      at += 3;
      skipBlanks();
      word();
      return;
    }
    const doc = /^<<(-?)[ \t]*(["']?)([\w.-]+)\2/.exec(script.slice(at, at + 80));
    if (doc) {
      heredocs.push({ end: doc[3] ?? "", tabs: doc[1] === "-" });
      at += doc[0].length;
      return;
    }
    at += /^(?:&?>>?|>&|>\||<&|<>|<)/.exec(script.slice(at, at + 3))?.[0].length ?? 1;
    if (script[at] === "(") return;
    if (script[at] === "&") at++;
    skipBlanks();
    word();
  }

  function skipBlanks() {
    while (script[at] === " " || script[at] === "\t") at++;
  }

  function take() {
    const started = command.words.length > 0;
    ASSIGNMENT.lastIndex = at;
    const assign = started ? null : ASSIGNMENT.exec(script);
    if (assign) {
      at += assign[0].length;
      if (script[at] === "(") {
        at++;
        const from = line;
        const elements = commandsOf(balanced("(", ")"), from).flatMap(({ words }) => words);
        if (elements.length > 0) commands.push({ words: elements, assigns: [] });
        command.assigns.push({ name: assign[1] ?? "", value: { text: "", line: from } });
      } else command.assigns.push({ name: assign[1] ?? "", value: word() });
      return;
    }
    const next = word();
    // The "2" of "2>&1" belongs to the redirection.
    if (/^\d+$/.test(next.text) && /[<>]/.test(script[at] ?? "")) return;
    if (!started && next.text === "case") cases++;
    if (!started && next.text === "esac") cases = Math.max(0, cases - 1);
    if (!started && KEYWORDS.has(next.text)) return;
    command.words.push(next);
    if (command.words[0]?.text === "case" && next.text === "in") flush();
  }
}

/** The place of the quote that ends the one at `from`; the end of the text when there is none. */
function closingQuote(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

/** The commands of a script that is itself a word, with their own lines unless the word is {@link Word.fixed}. */
export function commandsIn(script: Word): Command[] {
  const commands = commandsOf(script.text, script.line);
  if (!script.fixed) return commands;
  const here = ({ text }: Word): Word => ({ text, line: script.line, fixed: true });
  return commands.map(({ words, assigns }) => ({
    words: words.map(here),
    assigns: assigns.map(({ name, value }) => ({ name, value: here(value) })),
  }));
}

const newlines = (text: string) => text.split(/[\n\v]/).length - 1;
