import React, { useState } from 'react';

import { t } from '@grafana/i18n';
import { CollapsableSection } from '@grafana/ui';

import { selectors } from '../selectors';
import { Limits } from './Limits';
import { type ConfigProps } from './options';
import { ServiceSettings } from './ServiceSettings';

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
      <Limits {...props} />
    </CollapsableSection>
  );
}
