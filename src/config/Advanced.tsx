import React, { useState } from 'react';

import { t } from '@grafana/i18n';
import { ConfigSubSection } from '@grafana/plugin-ui';
import { CollapsableSection } from '@grafana/ui';

import { selectors } from '../selectors';
import { CustomHeaders } from './CustomHeaders';
import { Limits } from './Limits';
import { type ConfigProps } from './options';
import { Proxy } from './Proxy';
import { RepeatedReads } from './RepeatedReads';
import { ServiceSettings } from './ServiceSettings';
import { Tls } from './Tls';

/** What most people never change. */
export function Advanced(props: ConfigProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <CollapsableSection
      label={t('config.advanced.label', 'Advanced')}
      isOpen={isOpen}
      onToggle={setIsOpen}
      headerDataTestId={selectors.config.advanced}
    >
      <ServiceSettings {...props} />
      <ConfigSubSection title={t('config.advanced.limits', 'Limits')}>
        <Limits {...props} />
      </ConfigSubSection>
      <ConfigSubSection title={t('config.advanced.repeated-reads', 'Repeated reads')}>
        <RepeatedReads {...props} />
      </ConfigSubSection>
      <ConfigSubSection title={t('config.advanced.tls', 'TLS and proxy')}>
        <Tls {...props} />
        <Proxy {...props} />
      </ConfigSubSection>
      <ConfigSubSection
        title={t('config.headers.title', 'Custom HTTP headers')}
        description={t('config.headers.description', 'Sent with every request, for example for a proxy on the way')}
      >
        <CustomHeaders {...props} />
      </ConfigSubSection>
    </CollapsableSection>
  );
}
