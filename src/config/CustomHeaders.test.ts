import { optionsWith } from '../testing/configuring';
import { headerNameProblem, headerNames, withoutHeader } from './CustomHeaders';

describe('headerNames', () => {
  const options = optionsWith({
    jsonData: { login: 'me', httpHeaderName1: 'X-One', httpHeaderName2: 'X-Two', httpHeaderName3: 'X-Three' },
    secureJsonData: { httpHeaderValue3: 'typed' },
    secureJsonFields: { key: true, httpHeaderValue1: true, httpHeaderValue2: true },
  });

  it('reads names up to the first missing number', () => {
    expect(headerNames(options)).toEqual(['X-One', 'X-Two', 'X-Three']);
    expect(headerNames(optionsWith({ jsonData: { httpHeaderName2: 'X-Two' } }))).toEqual([]);
  });

  describe('withoutHeader', () => {
    it('removes the last one with its value', () => {
      const changed = withoutHeader(options, 3);
      expect(changed.jsonData).toStrictEqual({ login: 'me', httpHeaderName1: 'X-One', httpHeaderName2: 'X-Two' });
      expect(changed.secureJsonData).toEqual({ httpHeaderValue3: '' });
      expect(changed.secureJsonFields).toMatchObject({ httpHeaderValue1: true, httpHeaderValue2: true });
    });

    it('renumbers those after it, never sending a saved value under another name', () => {
      const changed = withoutHeader(options, 1);
      expect(changed.jsonData).toStrictEqual({ login: 'me', httpHeaderName1: 'X-Two', httpHeaderName2: 'X-Three' });
      expect(changed.secureJsonData).toEqual({ httpHeaderValue1: '', httpHeaderValue2: 'typed', httpHeaderValue3: '' });
      expect(changed.secureJsonFields).toEqual({
        key: true,
        httpHeaderValue1: false,
        httpHeaderValue2: false,
        httpHeaderValue3: false,
      });
    });
  });

  it.each(['X-Api-Key', 'x_1', 'Accept'])('accepts the name %p', (name) => {
    expect(headerNameProblem(name)).toBeUndefined();
  });

  it.each(['', 'X Key', 'X:Key', 'Schlüssel'])('reports the name %p', (name) => {
    expect(headerNameProblem(name)).toMatch('valid header name');
  });
});
