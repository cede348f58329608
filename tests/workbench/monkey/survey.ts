import type { Page } from '@playwright/test';

export type Point = [x: number, y: number];

/** A control of an editor, as a person sees it. */
export interface Control {
  /** Its test ID, or the name of a button that has none. */
  id: string;
  kind: 'list' | 'lists' | 'text' | 'radio' | 'switch' | 'button';
  /** The text in it, the labels of its tags, or the selected label. */
  shown: string[];
  /** Tags that don't fit, of which only the number is shown. */
  hidden: number;
  invalid: boolean;
  isOpen: boolean;
  isFocused: boolean;
  /** Where to click: each radio button, or the control itself. */
  points: Point[];
}

export interface Option {
  label: string;
  points: Point[];
}

/** What a person sees on the page, and what is saved. */
export interface Survey {
  saved: Record<string, unknown> | undefined;
  controls: Control[];
  /** Options of the open list. */
  options: Option[];
  /** Items of the open menu. */
  items: Option[];
}

/**
 * Reads the page once, after it has rendered and has nothing left to do: a choice in a list of several values passes two
 * of downshift's reducers, each of which reports it after another render. On a busy machine, that takes long. A page that
 * never rests is read after ten seconds.
 */
export function survey(page: Page): Promise<Survey> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 10_000 })));

    const visible = (element: Element) => element.getClientRects().length > 0;
    const all = (selector: string, root: Element = document.body) =>
      [...root.querySelectorAll<HTMLElement>(selector)].filter(visible);
    /** Where a click reaches the element, and not a list in front of it. The end of a field has buttons of its own. */
    const pointsIn = (elements: Element[]): Point[] =>
      elements.flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const point: Point = [x + Math.min(width / 2, 40), y + height / 2];
        const hit = document.elementFromPoint(...point);
        return hit && (element.contains(hit) || hit.contains(element)) ? [point] : [];
      });
    const optionOf = (element: Element): Option => ({
      // The description is after the label.
      label: document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()?.textContent ?? '',
      points: pointsIn([element]),
    });
    const nameOf = (element: Element) => {
      const labelId = element.getAttribute('aria-labelledby');
      const label = labelId && document.getElementById(labelId)?.innerText.split('\n')[0];
      return element.getAttribute('aria-label') ?? (label || element.textContent || element.tagName);
    };
    const idOf = (element: HTMLElement) =>
      element.matches('[role="radiogroup"]') ? element.parentElement?.dataset.testid : element.dataset.testid;

    const tagsIn = (input: HTMLElement) => {
      const box = input.parentElement!;
      const tags = [...box.querySelectorAll('button[aria-label]')].map((button) => button.parentElement!);
      const count = Number(box.querySelector('div[tabindex="0"]')?.textContent);
      return { shown: tags.map((tag) => tag.querySelector('span')?.textContent ?? ''), hidden: count || 0 };
    };
    const inputParts = (input: HTMLInputElement): Partial<Control> => {
      if (input.type === 'checkbox') {
        return {
          kind: 'switch',
          shown: [String(input.checked)],
          points: pointsIn(all('label', input.parentElement!)),
        };
      }
      if (input.role !== 'combobox') {
        return { kind: 'text', shown: [input.value] };
      }
      const isSingle = input.closest('[data-testid="input-wrapper"]');
      return isSingle ? { kind: 'list', shown: [input.value] } : { kind: 'lists', ...tagsIn(input) };
    };
    const radioParts = (group: HTMLElement): Partial<Control> => {
      const chosen = group.querySelector<HTMLInputElement>('input:checked');
      return { kind: 'radio', shown: chosen ? [chosen.title] : [], points: pointsIn(all('label', group)) };
    };
    const control = (element: HTMLElement): Control => ({
      ...{ id: idOf(element) ?? nameOf(element), kind: 'button', shown: [], hidden: 0 },
      invalid: element.getAttribute('aria-invalid') === 'true',
      isOpen: element.getAttribute('aria-expanded') === 'true',
      isFocused: element.contains(document.activeElement),
      points: pointsIn([element]),
      ...(element.matches('[role="radiogroup"]') && radioParts(element)),
      ...(element.matches('input, textarea') && inputParts(element as HTMLInputElement)),
    });

    const saved = document.querySelector('[data-testid="workbench-saved"]');
    const editor = saved?.parentElement?.querySelector<HTMLElement>('section') ?? saved?.parentElement;
    const isEditors = (element: Element) => !element.closest(':disabled, [data-testid^="workbench-"]');
    const selector = '[role="radiogroup"], input:not([type="radio"]), textarea, button';
    return {
      saved: saved ? JSON.parse(saved.querySelector('pre')!.textContent!) : undefined,
      controls: editor ? all(selector, editor).filter(isEditors).map(control) : [],
      options: all('[role="option"]').map(optionOf),
      items: all('[role="menuitem"]').map(optionOf),
    };
  });
}
