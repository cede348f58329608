import { optionsWith } from '../testing/configuring';
import { withoutSecret, withSecret, withSetting } from './options';

const options = optionsWith({
  url: 'https://x',
  jsonData: { login: 'me', maxRows: 5 },
  secureJsonData: { tlsCACert: 'typed' },
  secureJsonFields: { key: true, tlsCACert: false },
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
  ] as const)('keeps the switch %s where it is %p, and removes it for its default', (name, other, standard) => {
    const changed = withSetting(options, name, other);
    expect(changed.jsonData).toEqual({ ...options.jsonData, [name]: other });
    expect(withSetting(changed, name, standard).jsonData).toStrictEqual(options.jsonData);
  });
});

describe('secrets', () => {
  it('are set beside others', () => {
    expect(withSecret(options, 'key', 'k').secureJsonData).toEqual({ tlsCACert: 'typed', key: 'k' });
  });

  it('are forgotten one at a time', () => {
    expect(withoutSecret(options, 'key')).toEqual({
      ...options,
      secureJsonData: { tlsCACert: 'typed', key: '' },
      secureJsonFields: { key: false, tlsCACert: false },
    });
  });
});
