import { t } from '@grafana/i18n';

/** How a PEM block of that kind begins. */
export function begins(kind: string): string {
  return t('config.tls.begins', 'Begins with -----BEGIN {{kind}}-----', { kind });
}
