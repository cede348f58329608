/** A code block and its language. */
export interface Block {
  language: string;
  code: string;
}

/** Fenced blocks, including indented ones in lists. */
export function blocks(text: string): Block[] {
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, indent, language, code]) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The text without its code blocks. */
export const prose = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** Rows of all tables, as their cells; `\|` in a cell is a `|`. */
export function rows(text: string): string[][] {
  return prose(text)
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|'))
    );
}

/** The section of a page under a heading, including its subsections. */
export function section(text: string, heading: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start < 0) {
    throw new Error(`there is no heading "${heading}"`);
  }
  const level = lines[start].indexOf(' ');
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n');
}

/** Targets of links and images. */
export const links = (text: string) => [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);

/** Anchors of the headings, as GitHub generates them. */
export function anchors(text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
  );
}

/** Texts in backticks. */
export const code = (text: string) => marked(text, /`([^`]+)`/g);

/** Texts in bold. */
export const bold = (text: string) => marked(text, /\*\*([^*]+)\*\*/g);

/** Texts between marks, which can continue on the next line. */
function marked(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, content]) => content.replaceAll(/\s+/g, ' '));
}
