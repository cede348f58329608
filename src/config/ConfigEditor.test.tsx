import { act, fireEvent, screen } from '@testing-library/react';
import { type UserEvent } from '@testing-library/user-event';

import { config } from '@grafana/runtime';

import { type Finding } from '../../schema/findings';
import { publishReport } from '../source/check';
import { selectors } from '../selectors';
import { configure } from '../testing/configuring';
import { ConfigEditor } from './ConfigEditor';
import { type Options } from './options';

const ids = selectors.config;
const field = (id: string) => screen.getByTestId(id);

/** The editor with its advanced settings visible. */
async function configureAll(parts: Partial<Options> = {}) {
  const editor = configure(ConfigEditor, parts);
  await editor.user.click(screen.getByText('Advanced'));
  return editor;
}

/** Fills a field at once: typing each letter draws the whole page again. */
async function fill(user: UserEvent, id: string, text: string) {
  await user.click(field(id));
  await user.paste(text);
}

afterEach(() => {
  config.secureSocksDSProxyEnabled = false;
});

describe('connection', () => {
  it('sets base URL, login, and key, each with a label', async () => {
    const { user, saved } = configure(ConfigEditor);
    await user.click(screen.getByLabelText(/^Base URL/));
    await user.paste('https://insights.example.com');
    await user.type(screen.getByLabelText(/^Login/), 'me');
    await user.type(screen.getByLabelText(/^Key/), 'secret');
    expect(saved.options.url).toBe('https://insights.example.com');
    expect(saved.options.jsonData).toEqual({ login: 'me' });
    expect(saved.options.secureJsonData).toEqual({ key: 'secret' });
  });

  it('reports an invalid URL', async () => {
    const { user } = configure(ConfigEditor);
    await fill(user, ids.url, 'insights');
    expect(screen.getByText(/start with http:\/\/ or https:\/\//)).toBeInTheDocument();
    await user.clear(field(ids.url));
    await fill(user, ids.url, ' https://insights ');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(field(ids.url)).toHaveValue('https://insights');
  });

  it('never shows a saved key, and resets it without touching other settings', async () => {
    const jsonData = { login: 'me', maxRows: 5 };
    const { user, saved } = configure(ConfigEditor, { jsonData, secureJsonFields: { key: true, tlsCACert: true } });
    expect(field(ids.key)).toHaveValue('configured');
    expect(field(ids.key)).toBeDisabled();

    await user.click(screen.getByRole('button', { name: 'Reset Key' }));
    expect(document.body).not.toHaveFocus();
    expect(field(ids.key)).toHaveValue('');
    expect(field(ids.key)).toHaveAttribute('type', 'password');
    await user.type(field(ids.key), 'new');
    expect(saved.options.secureJsonData).toEqual({ key: 'new' });
    expect(saved.options.secureJsonFields).toEqual({ key: false, tlsCACert: true });
    expect(saved.options.jsonData).toEqual(jsonData);
  });
});

const empty = (setting: string): Finding => ({ key: `${setting}-empty`, severity: 'error', text: '', setting });

describe('the findings of Save & test', () => {
  const found: Finding[] = [
    {
      ...{ key: 'path-other', severity: 'warning', text: '', values: { set: 'Runners', path: '/r', found: '/s' } },
      ...{ setting: 'runnersPath', value: '/s' },
    },
    { key: 'rates-auto', severity: 'info', text: '', setting: 'rateScale', value: 'percent' },
    { key: 'rows', severity: 'ok', text: '', values: { set: 'Runners', rows: 1, days: 30 } },
  ];
  const tested = async (report: Finding[]) => act(async () => publishReport('one', report));
  const problems = () => [ids.url, ids.login, ids.key].map((id) => field(id).getAttribute('aria-invalid'));

  afterEach(() => tested([]));

  it('marks each required setting while it is empty', async () => {
    const { user } = configure(ConfigEditor, { uid: 'one' });
    expect(problems()).toEqual(['false', 'false', 'false']);
    await tested([empty('url'), empty('login'), empty('key')]);
    expect(problems()).toEqual(['true', 'true', 'true']);
    expect(field(ids.login)).toHaveAccessibleDescription(/^Login is empty: enter the login value/);
    expect(field(ids.key)).toHaveAccessibleDescription(/^Key is empty/);

    await user.type(field(ids.login), 'me');
    await user.type(field(ids.key), 'k');
    expect(problems()).toEqual(['true', 'false', 'false']);
  });

  it('marks nothing for another data source', async () => {
    configure(ConfigEditor, { uid: 'two' });
    await tested([empty('url')]);
    expect(problems()).toEqual(['false', 'false', 'false']);
  });

  it('suggests values, and applies them on a click', async () => {
    const { user, saved } = configure(ConfigEditor, { uid: 'one', jsonData: { runnersPath: '/r' } });
    expect(screen.queryByTestId(ids.suggestions)).not.toBeInTheDocument();
    await tested(found);
    expect(saved.options.jsonData).toEqual({ runnersPath: '/r' });
    expect(screen.getByText(/cannot be read at \/r, but at \/s/)).toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Enter /s as Runners path' }));
    expect(saved.options.jsonData).toEqual({ runnersPath: '/s' });
    await user.click(screen.getByRole('button', { name: 'Enter 0 to 100 as Rate scale' }));
    expect(saved.options.jsonData).toEqual({ runnersPath: '/s', rateScale: 'percent' });
    expect(screen.queryByTestId(ids.suggestions)).not.toBeInTheDocument();
  });
});

it('suggests no value that is set already, be it as text', async () => {
  configure(ConfigEditor, { uid: 'three', jsonData: { pageSize: '20' as never } });
  const suggestion: Finding = { key: 'page-size', severity: 'info', text: '', setting: 'pageSize', value: 20 };
  await act(async () => publishReport('three', [suggestion]));
  expect(screen.queryByTestId(ids.suggestions)).not.toBeInTheDocument();
  await act(async () => publishReport('three', [{ ...suggestion, value: 30 }]));
  expect(screen.getByTestId(ids.suggestions)).toBeInTheDocument();
});

it('links to the documentation, and describes how the dashboards find the data source', () => {
  configure(ConfigEditor);
  expect(screen.getByRole('link', { name: /^Documentation/ })).toHaveAttribute(
    'href',
    expect.stringContaining('/docs')
  );
  expect(screen.getByText(/with a data source picker/)).toBeInTheDocument();
});

describe('invalid values', () => {
  it('are saved, for Save & test to report, and explained to screen readers', async () => {
    const { user, saved } = await configureAll();
    await user.type(field(ids.timeout), '0');
    await user.type(field(ids.maxRows), 'all');
    expect(saved.options.jsonData).toEqual({ timeout: '0', maxRows: 'all' });
    expect(field(ids.timeout)).toHaveAttribute('aria-invalid', 'true');
    expect(field(ids.timeout)).toHaveAccessibleDescription(/"0" is not allowed/);

    await user.clear(field(ids.timeout));
    expect(field(ids.timeout)).toHaveAttribute('aria-invalid', 'false');
  });
});

describe('advanced', () => {
  it('is collapsed initially', () => {
    configure(ConfigEditor);
    expect(screen.queryByTestId(ids.organization)).not.toBeInTheDocument();
  });

  it('shows defaults without saving them', async () => {
    const { onOptionsChange } = await configureAll();
    expect(field(ids.runnersPath)).toHaveAttribute('placeholder', '/api/v1/insights/runner');
    expect(field(ids.timeout)).toHaveAttribute('placeholder', '30');
    expect(field(ids.maxConcurrentRequests)).toHaveAttribute('placeholder', '8');
    expect(field(ids.requestsPerSecond)).toHaveAttribute('placeholder', '0');
    expect(field(ids.cacheTTL)).toHaveAttribute('placeholder', '60');
    expect(field(ids.maxRows)).toHaveAttribute('placeholder', '100000');
    expect(field(ids.pageSize)).toHaveAttribute('placeholder', '500');
    expect(field(ids.incrementalQuerying)).toBeChecked();
    expect(field(ids.fullReadInterval)).toHaveAttribute('placeholder', '3600');
    expect(screen.getByRole('radio', { name: 'Auto' })).toBeChecked();
    expect(onOptionsChange).not.toHaveBeenCalled();
  });

  it('sets organization and runners path, and removes them when they are cleared', async () => {
    const { user, saved } = await configureAll();
    await fill(user, ids.organization, 'acme');
    await fill(user, ids.runnersPath, '/r');
    expect(saved.options.jsonData).toEqual({ organization: 'acme', runnersPath: '/r' });
    await user.clear(field(ids.organization));
    await user.clear(field(ids.runnersPath));
    expect(saved.options.jsonData).toStrictEqual({});
  });

  const numbers = [
    ['timeout', ids.timeout, '45', '0'],
    ['maxConcurrentRequests', ids.maxConcurrentRequests, '32', '33'],
    ['requestsPerSecond', ids.requestsPerSecond, '0', '1001'],
    ['requestsPerSecond', ids.requestsPerSecond, '0.05', '0,5'],
    ['cacheTTL', ids.cacheTTL, '0', '-1'],
    ['maxRows', ids.maxRows, '1', '1.5'],
    ['pageSize', ids.pageSize, '2000', '2001'],
    ['pageSize', ids.pageSize, '0', '-1'],
    ['fullReadInterval', ids.fullReadInterval, '86400', '86401'],
    ['fullReadInterval', ids.fullReadInterval, '0', '-1'],
  ];

  it('sets each number in its range, and reports one that is not', async () => {
    const { saved } = await configureAll();
    // As typed, without the keys: each draws all settings.
    const enter = (id: string, value: string) => fireEvent.change(field(id), { target: { value } });
    for (const [name, id, good, bad] of numbers) {
      enter(id, good);
      expect(saved.options.jsonData).toEqual({ [name]: Number(good) });
      enter(id, bad);
      expect(screen.getByText(new RegExp(`"${bad}" is not allowed`))).toBeInTheDocument();
      expect(saved.options.jsonData).toEqual({ [name]: bad });
      enter(id, '');
      expect(saved.options.jsonData).toStrictEqual({});
    }
  });

  it('switches incremental querying off and on', async () => {
    const { user, saved } = await configureAll({ jsonData: { fullReadInterval: 60 } });
    await user.click(screen.getByLabelText(/^Incremental querying/));
    expect(saved.options.jsonData).toEqual({ fullReadInterval: 60, incrementalQuerying: false });
    await user.click(field(ids.incrementalQuerying));
    expect(saved.options.jsonData).toStrictEqual({ fullReadInterval: 60 });
  });

  it('shows a switch that a provisioning file has as text', async () => {
    await configureAll({ readOnly: true, jsonData: { incrementalQuerying: 'false' as unknown as boolean } });
    expect(field(ids.incrementalQuerying)).not.toBeChecked();
  });

  it('sets the address of a page', async () => {
    const { user, saved } = await configureAll();
    await fill(user, ids.taskUrl, 'https://o/${id}');
    expect(saved.options.jsonData).toEqual({ taskUrl: 'https://o/${id}' });
    await user.clear(field(ids.taskUrl));
    expect(saved.options.jsonData).toStrictEqual({});
  });

  it('sets the rate scale', async () => {
    const { user, saved } = await configureAll();
    await user.click(screen.getByRole('radio', { name: '0 to 100' }));
    expect(saved.options.jsonData).toEqual({ rateScale: 'percent' });
  });

  it('sets the currency, and removes it when the field is cleared', async () => {
    const { user, saved } = await configureAll();
    await fill(user, ids.currency, 'BRL');
    expect(saved.options.jsonData).toEqual({ currency: 'BRL' });
    await user.clear(field(ids.currency));
    expect(saved.options.jsonData).toStrictEqual({});
  });
});

describe('TLS', () => {
  it('reads switches as text, which environment variables of provisioning files are', async () => {
    await configureAll({ jsonData: { tlsSkipVerify: 'false', tlsAuth: 'false', tlsAuthWithCACert: 'true' } as never });
    expect(field(ids.tlsSkipVerify)).not.toBeChecked();
    expect(screen.queryByTestId(ids.tlsClientCert)).not.toBeInTheDocument();
    expect(field(ids.tlsCACert)).toBeInTheDocument();
  });

  it('uses the names that all data sources use', async () => {
    const { user, saved } = await configureAll();
    await user.click(field(ids.tlsSkipVerify));
    await user.click(field(ids.tlsAuthWithCACert));
    await user.click(field(ids.tlsAuth));
    await fill(user, ids.tlsCACert, 'ca');
    await fill(user, ids.serverName, 'insights');
    await fill(user, ids.tlsClientCert, 'cert');
    await fill(user, ids.tlsClientKey, 'key');
    expect(saved.options.jsonData).toEqual({
      tlsSkipVerify: true,
      tlsAuthWithCACert: true,
      tlsAuth: true,
      serverName: 'insights',
    });
    expect(saved.options.secureJsonData).toEqual({ tlsCACert: 'ca', tlsClientCert: 'cert', tlsClientKey: 'key' });
  });

  it('resets a certificate', async () => {
    const { user, saved } = await configureAll({
      jsonData: { tlsAuthWithCACert: true },
      secureJsonFields: { tlsCACert: true, key: true },
    });
    await user.click(screen.getAllByRole('button', { name: /^Reset/ })[1]);
    expect(saved.options.secureJsonFields).toEqual({ tlsCACert: false, key: true });
  });

  it('shows certificate fields only if they are used', async () => {
    await configureAll();
    expect(screen.queryByTestId(ids.tlsCACert)).not.toBeInTheDocument();
    expect(screen.queryByTestId(ids.tlsClientCert)).not.toBeInTheDocument();
  });
});

describe('custom headers', () => {
  it('are added with name and value', async () => {
    const { user, saved } = await configureAll();
    await user.click(field(ids.headerAdd));
    await fill(user, ids.headerName(1), 'X-Team');
    await fill(user, ids.headerValue(1), 'robots');
    await user.click(field(ids.headerAdd));
    await fill(user, ids.headerName(2), 'X-Env');
    expect(saved.options.jsonData).toEqual({ httpHeaderName1: 'X-Team', httpHeaderName2: 'X-Env' });
    expect(saved.options.secureJsonData).toEqual({ httpHeaderValue1: 'robots' });
  });

  it('are removed', async () => {
    const { user, saved } = await configureAll({
      jsonData: { httpHeaderName1: 'X-Team' },
      secureJsonFields: { httpHeaderValue1: true },
    });
    expect(field(ids.headerValue(1))).toHaveValue('configured');
    await user.click(field(ids.headerRemove(1)));
    expect(screen.queryByTestId(ids.headerName(1))).not.toBeInTheDocument();
    expect(saved.options.jsonData).toStrictEqual({});
  });

  it('keep their place while the name is invalid or empty', async () => {
    const { user, saved } = await configureAll({ jsonData: { httpHeaderName1: 'X', httpHeaderName2: 'Z' } });
    await user.clear(field(ids.headerName(1)));
    expect(screen.getByText(/Enter a valid header name/)).toBeInTheDocument();
    expect(field(ids.headerName(2))).toHaveValue('Z');
    await user.type(field(ids.headerName(1)), 'Y');
    expect(saved.options.jsonData).toEqual({ httpHeaderName1: 'Y', httpHeaderName2: 'Z' });
  });

  it('leave nothing behind when a new one is discarded', async () => {
    const { user, saved } = await configureAll();
    await user.click(field(ids.headerAdd));
    await user.click(field(ids.headerRemove(1)));
    expect(saved.options.jsonData).toStrictEqual({});
    expect(screen.queryByTestId(ids.headerName(1))).not.toBeInTheDocument();
  });
});

describe('secure socks proxy', () => {
  it('is available if this Grafana has one', async () => {
    config.secureSocksDSProxyEnabled = true;
    const { user, saved } = await configureAll();
    await user.click(field(ids.secureSocksProxy));
    expect(saved.options.jsonData).toEqual({ enableSecureSocksProxy: true });
    await user.click(field(ids.secureSocksProxy));
    expect(saved.options.jsonData).toStrictEqual({});
  });

  it('is not shown otherwise', async () => {
    await configureAll();
    expect(screen.queryByTestId(ids.secureSocksProxy)).not.toBeInTheDocument();
  });
});

it('is read-only if provisioned', async () => {
  config.secureSocksDSProxyEnabled = true;
  const { container } = await configureAll({
    readOnly: true,
    url: 'https://insights',
    jsonData: { tlsAuth: true, tlsAuthWithCACert: true, httpHeaderName1: 'X' },
    secureJsonFields: { key: true, httpHeaderValue1: true },
  });
  const editable = [...container.querySelectorAll('input, textarea, [data-testid^="insights-config"]')].filter(
    (element) => 'disabled' in element
  );
  expect(editable.length).toBeGreaterThan(20);
  editable.forEach((element) => expect(element).toBeDisabled());
});

describe('values of a provisioning file', () => {
  it.each([
    [12345, '12345'],
    [true, 'true'],
    [['a'], '["a"]'],
  ])('that are not text, such as the login %j, are shown with a message', async (login, text) => {
    configure(ConfigEditor, { jsonData: { login: login as never } });
    expect(field(ids.login)).toHaveValue(text);
    expect(field(ids.login)).toHaveAccessibleDescription(/is not a text: put it in quotes/);
  });

  it.each(['', ' ', null])(
    'that are empty, such as a switch with %j, have the default, as in the backend',
    async (value) => {
      await configureAll({ jsonData: { incrementalQuerying: value as never, rateScale: value as never } });
      expect(field(ids.incrementalQuerying)).toBeChecked();
      expect(screen.getByRole('radio', { name: 'Auto' })).toBeChecked();
    }
  );

  it('that do not exist are visible', async () => {
    await configureAll({ jsonData: { rateScale: 'ratio' as never } });
    expect(screen.getByRole('radio', { name: 'ratio' })).toBeChecked();
  });

  it('that the backend accepts are not marked', async () => {
    await configureAll({ jsonData: { timeout: '60.0' as never, maxRows: '60.5' as never } });
    expect(field(ids.timeout)).toHaveAttribute('aria-invalid', 'false');
    expect(field(ids.maxRows)).toHaveAttribute('aria-invalid', 'true');
  });

  it('cannot be reset, which could not be saved', async () => {
    const secureJsonFields = { key: true, httpHeaderValue1: true };
    await configureAll({ readOnly: true, jsonData: { httpHeaderName1: 'X' }, secureJsonFields });
    const resets = screen.getAllByRole('button', { name: /^Reset/ });
    expect(new Set(resets.map((button) => button.getAttribute('aria-label'))).size).toBe(resets.length);
    expect(resets).toHaveLength(2);
    resets.forEach((button) => expect(button).toBeDisabled());
  });
});

it('keeps the focus near a header that is removed', async () => {
  const { user } = await configureAll({ jsonData: { httpHeaderName1: 'X-A', httpHeaderName2: 'X-B' } });
  await user.click(field(ids.headerRemove(1)));
  expect(field(ids.headerRemove(1))).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(field(ids.headerAdd)).toHaveFocus();
  await user.keyboard('{Enter}{Enter}');
  await user.click(field(ids.headerRemove(2)));
  expect(field(ids.headerAdd)).toHaveFocus();
});

it('asks for values of headers, which are cleared where an earlier header is removed', async () => {
  const { user, saved } = await configureAll({
    jsonData: { httpHeaderName1: 'X-A', httpHeaderName2: 'X-B' },
    secureJsonFields: { httpHeaderValue1: true, httpHeaderValue2: true },
  });
  expect(screen.queryByText('Enter the value')).not.toBeInTheDocument();
  await user.click(field(ids.headerRemove(1)));
  expect(field(ids.headerName(1))).toHaveValue('X-B');
  expect(field(ids.headerValue(1))).toHaveAccessibleDescription('Enter the value');
  await fill(user, ids.headerValue(1), 'robots');
  expect(screen.queryByText('Enter the value')).not.toBeInTheDocument();
  expect(saved.options.secureJsonData).toEqual({ httpHeaderValue1: 'robots', httpHeaderValue2: '' });
});

it.each(['tlsSkipVerify', 'secureSocksProxy', 'incrementalQuerying'] as const)(
  'marks a switch that is neither on nor off, until it is switched: %s',
  async (name) => {
    const setting = name === 'secureSocksProxy' ? 'enableSecureSocksProxy' : name;
    const { user, saved } = await configureAll({ jsonData: { [setting]: 'yes' } });
    expect(field(ids[name])).toHaveAccessibleDescription(/"yes" is neither true nor false/);
    await user.click(field(ids[name]));
    expect(screen.queryByText(/neither true nor false/)).not.toBeInTheDocument();
    expect(saved.options.jsonData).toEqual(name === 'incrementalQuerying' ? {} : { [setting]: true });
  }
);

it('marks a number that is a list', async () => {
  await configureAll({ jsonData: { maxRows: [1] as never } });
  expect(field(ids.maxRows)).toHaveAccessibleDescription(/"\[1\]" is not allowed/);
});

it.each([5, null])('marks a header name that is not text: %j', async (name) => {
  await configureAll({ jsonData: { httpHeaderName1: name as never } });
  expect(field(ids.headerName(1))).toHaveAttribute('aria-invalid', 'true');
});

it.each([{ tlsAuth: true }, { tlsAuthWithCACert: true }])(
  'shows the server name where it counts: %j',
  async (jsonData) => {
    await configureAll({ jsonData });
    expect(field(ids.serverName)).toBeInTheDocument();
  }
);
