import { optionsWith } from '../testing/configuring';
import { isOn, type Options, urlProblem, withoutSecret, withSecret, withSetting } from './options';

const options = optionsWith({
  url: 'https://x',
  jsonData: { login: 'me', maxRows: 5 },
  secureJsonData: { tlsCACert: 'typed' },
  secureJsonFields: { key: true, tlsCACert: false },
});

it.each<[unknown, boolean]>([
  [undefined, true],
  ['', true],
  [' true ', true],
  ['false', false],
  [false, false],
])('reads a switch as the backend does: %j', (incrementalQuerying, on) => {
  expect(isOn(optionsWith({ jsonData: { incrementalQuerying } as Options['jsonData'] }), 'incrementalQuerying')).toBe(
    on
  );
});

describe('withSetting', () => {
  it('sets one setting and keeps the others', () => {
    expect(withSetting(options, 'cacheTTL', 0)).toEqual({
      ...options,
      jsonData: { login: 'me', maxRows: 5, cacheTTL: 0 },
    });
  });

  it.each([undefined, ''])('removes a setting for %p, so that the default applies', (value) => {
    expect(withSetting(options, 'maxRows', value as undefined).jsonData).toStrictEqual({ login: 'me' });
  });

  it.each([
    ['tlsAuth', true, false],
    ['incrementalQuerying', false, true],
  ] as const)('keeps the switch %s if it is %p, and removes it for its default', (name, other, standard) => {
    const changed = withSetting(options, name, other);
    expect(changed.jsonData).toEqual({ ...options.jsonData, [name]: other });
    expect(withSetting(changed, name, standard).jsonData).toStrictEqual(options.jsonData);
  });
});

describe('secrets', () => {
  it('are set without affecting others', () => {
    expect(withSecret(options, 'key', 'k').secureJsonData).toEqual({ tlsCACert: 'typed', key: 'k' });
  });

  it('are cleared one at a time', () => {
    expect(withoutSecret(options, 'key')).toEqual({
      ...options,
      secureJsonData: { tlsCACert: 'typed', key: '' },
      secureJsonFields: { key: false, tlsCACert: false },
    });
  });
});

describe('urlProblem', () => {
  it.each([
    '',
    'http://insights',
    'https://insights.example.com/',
    'HTTPS://x.example.com:8443/base',
    'http://[::1]:3000',
  ])('accepts %p', (url) => {
    expect(urlProblem(url)).toBeUndefined();
  });

  it.each(['insights.example.com', 'ftp://x', 'file:///etc', '//x'])('requires http or https in %p', (url) => {
    expect(urlProblem(url)).toMatch('start with http:// or https://');
  });

  it.each(['https://', 'https:///x', 'http://a b', 'https://x:99999', 'https://[::1'])(
    'asks for a valid URL in place of %p',
    (url) => {
      expect(urlProblem(url)).toMatch('Enter a valid URL, such as');
    }
  );

  it.each([
    'https://me@x.example.com',
    'https://@x',
    'https://me:secret@x.example.com',
    'https://:secret@x.example.com',
  ])('rejects credentials in %p', (url) => {
    expect(urlProblem(url)).toMatch('Remove the user name and password');
  });

  it.each(['https://x?a=1', 'https://x/?', 'https://x#a', 'https://x/#'])(
    'rejects a query string or fragment in %p',
    (url) => {
      expect(urlProblem(url)).toMatch('must not contain a query string or fragment');
    }
  );
});
