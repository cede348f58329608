import '../testing/dom';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import React, { type ComponentType, type ReactElement, useState } from 'react';

import { choose, offered, option, options } from '../testing/editing';
import { MultiSelect, Select } from './lists';

// As in Grafana: an editor draws its controls again with every response, with new objects.
const months = () => ['January', 'February', 'March', 'April'].map((label) => ({ value: label.toLowerCase(), label }));

/** A control with a value that it changes, in a drawer that Escape closes, before another button. */
function draw(Control: (props: never) => ReactElement, saved: unknown, props: object = {}) {
  const Drawn = Control as ComponentType<object>;
  const onChange = jest.fn();
  const onEscape = jest.fn();
  let redraw: () => void = () => undefined;
  function Host() {
    const [value, setValue] = useState(saved);
    const [, setCount] = useState(0);
    redraw = () => setCount((count) => count + 1);
    const change = (changed: unknown) => {
      onChange(changed);
      setValue(changed);
    };
    const common = { label: 'Control', testId: 'control', width: 20, options: months() };
    return (
      <div onKeyDown={(event) => event.key === 'Escape' && onEscape()}>
        <Drawn {...{ ...common, ...props, value, onChange: change }} />
        <button>Elsewhere</button>
      </div>
    );
  }
  render(<Host />);
  // The style that lets the icon be clicked is lost in its mock.
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never });
  return { user, box: screen.getByTestId('control'), onChange, onEscape, redraw: () => act(() => redraw()) };
}

const load = async (typed: string) =>
  ['apple', 'banana', 'cherry']
    .filter((value) => value.includes(typed))
    .map((value) => ({ value, label: value, description: `${value}s` }));

describe('Select', () => {
  const drawSelect = (saved?: string, props: object = {}) => draw(Select, saved, props);

  it.each(['{Enter}', '{Tab}'])('chooses on %s what is shown first for what was typed', async (key) => {
    const { user, box, onChange } = drawSelect('april');
    await user.click(box);
    await user.keyboard(`mar${key}`);
    expect(onChange.mock.calls).toEqual([['march']]);
    expect(box).toHaveValue('March');
  });

  it('chooses with Tab what was reached with the arrow keys after typing', async () => {
    const { user, box, onChange } = drawSelect('april');
    await user.click(box);
    await user.keyboard('uary{ArrowDown}{Tab}');
    expect(onChange.mock.calls).toEqual([['february']]);
  });

  it.each(['{Enter}', '{Tab}'])('chooses on %s what the mouse or a key has highlighted since', async (key) => {
    const { user, box, onChange } = drawSelect('april');
    await user.click(box);
    await user.keyboard('uary');
    await user.hover(await option('February'));
    await user.keyboard(key);
    await user.click(box);
    await user.keyboard(`uary{End}${key}`);
    expect(onChange.mock.calls).toEqual([['february']]);
  });

  it.each(['{Enter}', '{Tab}'])('chooses nothing on %s if nothing is found, and is not emptied', async (key) => {
    const { user, box, onChange } = drawSelect('april', { isClearable: true });
    await user.click(box);
    await user.keyboard(`xyz${key}`);
    await user.click(screen.getByText('Elsewhere'));
    expect(onChange).not.toHaveBeenCalled();
    expect(box).toHaveValue('April');
  });

  it('keeps what is being typed when it is drawn again, or clicked', async () => {
    const { user, box, redraw } = drawSelect('april');
    await user.click(box);
    await user.keyboard('ma');
    redraw();
    await user.click(box);
    expect(box).toHaveValue('ma');
    expect(options().map(({ textContent }) => textContent)).toEqual(['March']);
  });

  it.each(['a click', '{ArrowDown}'])('changes nothing if it is opened with %s, and left', async (opens) => {
    const { user, box, onChange } = drawSelect('march');
    for (const leave of [
      '{Tab}',
      '{Shift>}{Tab}{/Shift}',
      'x{Backspace}{Tab}',
      'x{Backspace}{Enter}{Tab}',
      '{Escape}',
    ]) {
      box.focus();
      await (opens === 'a click' ? user.click(box) : user.keyboard(opens));
      await option('March');
      await user.keyboard(leave);
      expect(options()).toEqual([]);
      expect(box).toHaveValue('March');
    }
    expect(onChange).not.toHaveBeenCalled();
  });

  it('changes nothing on Escape in a closed list', async () => {
    const { user, box, onChange } = drawSelect('march', { isClearable: true });
    box.focus();
    await user.keyboard('{Escape}');
    expect(onChange).not.toHaveBeenCalled();
    expect(box).toHaveValue('March');
  });

  it('is cleared', async () => {
    const { user, onChange } = drawSelect('march', { isClearable: true });
    await user.click(screen.getByRole('button', { name: 'Clear value' }));
    expect(onChange.mock.calls).toEqual([[undefined]]);
  });

  it('says nothing if the value that it has is chosen', async () => {
    const { user, box, onChange } = drawSelect('march');
    await choose(user, box, 'March');
    expect(onChange).not.toHaveBeenCalled();
  });

  it('shows a value that is none of the options', () => {
    expect(drawSelect('smarch').box).toHaveValue('smarch');
  });
});

describe('MultiSelect', () => {
  const drawMulti = (saved: string[]) => draw(MultiSelect, saved);

  it.each(['{Enter}', '{Tab}'])('selects on %s what was typed', async (key) => {
    const { user, box, onChange } = drawMulti(['april']);
    await user.click(box);
    await user.keyboard(`mar${key}`);
    expect(onChange.mock.calls).toEqual([[['april', 'march']]]);
  });

  it('takes one after the other, and removes none on the way out', async () => {
    const { user, box, onChange } = drawMulti([]);
    await user.click(box);
    await user.keyboard('mar{Enter}apr{Enter}{Tab}');
    expect(onChange.mock.calls).toEqual([[['march']], [['march', 'april']]]);
    for (const typed of ['apr{Tab}', 'mar{ArrowDown}{Tab}', 'xyz{Tab}']) {
      expect(box).toHaveValue('');
      await user.click(box);
      await user.keyboard(typed);
    }
    expect(box).toHaveValue('');
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it('changes nothing if it is only looked at', async () => {
    const { user, box, onChange } = drawMulti(['april']);
    await user.click(box);
    await option('March');
    await user.keyboard('{Tab}');
    expect(onChange).not.toHaveBeenCalled();
    expect(options()).toEqual([]);
  });
});

describe('Select with suggestions', () => {
  const drawText = (saved?: string, props: object = {}) => draw(Select, saved, { load, ...props });

  it('shows the value itself, and in the list what people call it', async () => {
    const { user, box } = drawText('cherry');
    expect(box).toHaveValue('cherry');
    await user.click(box);
    await option('apple');
    expect(options().map(({ textContent }) => textContent)).toContain('cherrycherrys');
  });

  it('shows what the empty text means where it is a value', () => {
    expect(drawText('', { emptyLabel: '(no value)' }).box).toHaveValue('(no value)');
  });

  it.each(['{Enter}', '{Tab}'])('takes what was typed on %s, unchanged, and closes the list', async (key) => {
    const { user, box, onChange, onEscape } = drawText();
    await user.click(box);
    await option('apple');
    await user.keyboard(` app ${key}`);
    expect(onChange.mock.calls).toEqual([[' app ']]);
    expect(box).toHaveValue(' app ');
    expect(options()).toEqual([]);
    expect(onEscape).not.toHaveBeenCalled();
    expect(document.activeElement === box).toBe(key === '{Enter}');
  });

  it('takes what was typed although a suggestion is the same, and others are shown first', async () => {
    const late = async (typed: string) => (await load('')).filter(() => typed !== 'never');
    const { user, box, onChange } = drawText(undefined, { load: late });
    await user.type(box, 'cherry');
    await option('apple');
    await user.keyboard('{Enter}');
    expect(onChange.mock.calls).toEqual([['cherry']]);
  });

  it('takes what was typed when one goes elsewhere', async () => {
    const { user, box, onChange } = drawText();
    await user.type(box, 'app');
    await user.click(screen.getByText('Elsewhere'));
    expect(onChange.mock.calls).toEqual([['app']]);
  });

  it.each(['{Enter}', '{Tab}'])('takes only the option that was reached with the arrow keys, on %s', async (key) => {
    const { user, box, onChange } = drawText();
    await user.type(box, 'an');
    await option('banana');
    await user.keyboard(`{ArrowDown}${key}`);
    await user.click(screen.getByText('Elsewhere'));
    expect(onChange.mock.calls).toEqual([['banana']]);
  });

  it('takes only the option that was clicked after typing', async () => {
    const { user, box, onChange } = drawText();
    await user.type(box, 'an');
    await user.click(await option('banana'));
    await user.click(screen.getByText('Elsewhere'));
    expect(onChange.mock.calls).toEqual([['banana']]);
  });

  it('keeps a text that is clicked to correct it', async () => {
    const { user, box, onChange } = drawText('aple');
    await user.click(box);
    await waitFor(() => expect(box).toHaveValue('aple'));
    await option('banana');
    await user.type(box, 'p', { initialSelectionStart: 2, initialSelectionEnd: 2, skipClick: true });
    expect(box).toHaveValue('apple');
    await user.click(box);
    await user.tab();
    expect(onChange.mock.calls).toEqual([['apple']]);
  });

  it('says nothing of a text that is the value already, nor of spaces', async () => {
    const { user, box, onChange } = drawText('apple');
    await user.type(box, 's{Backspace}{Enter}');
    await user.clear(box);
    await user.type(box, '  {Tab}');
    expect(onChange).not.toHaveBeenCalled();
    expect(box).toHaveValue('apple');
  });

  it('keeps what is being typed when it is drawn again', async () => {
    const { user, box, redraw } = drawText('apple');
    await user.clear(box);
    await user.type(box, 'che');
    redraw();
    expect(box).toHaveValue('che');
  });

  it('takes nothing on Escape, nor for having been looked at', async () => {
    const { user, box, onChange } = drawText('apple', { isClearable: true });
    await user.type(box, 'x{Escape}{Escape}');
    await user.click(screen.getByText('Elsewhere'));
    await user.click(box);
    await user.tab();
    expect(onChange).not.toHaveBeenCalled();
    expect(box).toHaveValue('apple');
  });

  it('waits for the end of a composition', async () => {
    const { user, box, onChange } = drawText();
    await user.type(box, 'に');
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
    expect(onChange).not.toHaveBeenCalled();
    await user.keyboard('ほん{Enter}');
    expect(onChange.mock.calls).toEqual([['にほん']]);
  });

  it('says that there are no suggestions, without a message in the console', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation();
    const failing = () => Promise.reject(new Error('cannot connect to insights.example.com'));
    const { user, box, onChange } = drawText(undefined, { load: failing });
    await user.click(box);
    expect(await screen.findByText(/error occurred while loading/)).toBeInTheDocument();
    await user.type(box, 'fig{Enter}');
    expect(onChange.mock.calls).toEqual([['fig']]);
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });
});

it('takes the options that are pasted, by label or value, and leaves out the others', async () => {
  const { user, box, onChange } = draw(MultiSelect, ['april']);
  await user.click(box);
  await user.paste('March\nfebruary\tApril; sunday');
  expect(onChange.mock.calls).toEqual([[['april', 'march', 'february']]]);
});

describe('MultiSelect with suggestions', () => {
  const drawTexts = (saved: string[]) => draw(MultiSelect, saved, { load });

  it('takes one text after the other, each once', async () => {
    const { user, box, onChange } = drawTexts(['apple']);
    await user.type(box, 'kiwi{Enter}apple{Enter}fig{Tab}');
    expect(onChange.mock.calls).toEqual([[['apple', 'kiwi']], [['apple', 'kiwi', 'fig']]]);
  });

  it('takes what was chosen in the list, and not what was typed to find it', async () => {
    const { user, box, onChange } = drawTexts([]);
    await user.type(box, 'an');
    await user.click(await option('banana'));
    await user.click(screen.getByText('Elsewhere'));
    expect(onChange.mock.calls).toEqual([[['banana']]]);
  });

  it('marks the values that it has', async () => {
    const { user, box } = drawTexts(['banana']);
    expect(await offered(user, box)).toEqual(['appleapples', 'bananabananas', 'cherrycherrys']);
    expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(1);
  });
});
