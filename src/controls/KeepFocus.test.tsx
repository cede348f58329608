import '../testing/dom';
import { screen, within } from '@testing-library/react';

import { CustomHeaders } from '../config/CustomHeaders';
import { ConfigEditor } from '../config/ConfigEditor';
import { AnnotationEditor } from '../editor/AnnotationEditor';
import { QueryEditor } from '../editor/QueryEditor';
import { selectors } from '../selectors';
import { configure } from '../testing/configuring';
import { check, edit, editMore } from '../testing/editing';

const ids = selectors.query;
const control = (id: string) => screen.getByTestId(id);

describe('the focus goes from what disappears to a neighbor', () => {
  it('a part that is only shown because it is saved', async () => {
    const { user } = await editMore(QueryEditor, { timezone: 'UTC', limit: 5 });
    await user.clear(control(ids.timezone));
    await user.keyboard('{Enter}');
    expect(screen.queryByTestId(ids.timezone)).not.toBeInTheDocument();
    expect(control(ids.timeField)).toHaveFocus();
  });

  it('the format of an annotation', async () => {
    const { user } = edit(AnnotationEditor, { format: 'attention' });
    await check(user, ids.format, 'Table');
    expect(screen.queryByTestId(ids.format)).not.toBeInTheDocument();
    expect(control(ids.filterAdd)).toHaveFocus();
  });

  it.each(['Clear value', 'Clear all', 'Remove START'])('the button %s of a list', async (name) => {
    const filters = [{ key: 'state', operator: '=|' as const, values: ['START'] }];
    const { user } = await editMore(QueryEditor, { filters, sort: { field: 'id', order: 'asc' } });
    const sort = name === 'Clear value';
    screen.getByRole('button', { name }).focus();
    await user.keyboard('{Enter}');
    expect(control(sort ? ids.sort : ids.filterValue(0))).toHaveFocus();
  });

  it('the alert about what was reset', async () => {
    const { user } = edit(QueryEditor, { sort: { field: 'totalItems', order: 'desc' } });
    await check(user, ids.dataSet, 'Automations');
    within(control(ids.reset)).getByRole('button').focus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: /^More/ })).toHaveFocus();
  });

  it('a key that is reset, to the key that is entered anew', async () => {
    const { user } = configure(ConfigEditor, { url: 'https://a.example', secureJsonFields: { key: true } });
    screen.getByRole('button', { name: 'Reset Key' }).focus();
    await user.keyboard('{Enter}');
    expect(control(selectors.config.key)).toHaveFocus();
  });

  it('the last header', async () => {
    const { user } = configure(CustomHeaders, { jsonData: { httpHeaderName1: 'X-A' } as never });
    control(selectors.config.headerRemove(1)).focus();
    await user.keyboard('{Enter}');
    expect(control(selectors.config.headerAdd)).toHaveFocus();
  });
});
