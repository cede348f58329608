import type { DataSourceSettings } from '@grafana/data';
import type { DataSource } from '../backend/wire';

/** What a browser saves. An absent secret doesn't change; an empty one is cleared. */
export type DataSourceUpdate = Partial<Pick<DataSource, 'name' | 'url' | 'jsonData' | 'secureJsonData'>>;

/** Keeps the settings of the workbench's only data source in memory, and its secrets on the server. */
export class DataSourceStore {
  constructor(private dataSource: DataSource) {}

  /** The settings with their secrets, only for the backend. */
  get(): DataSource {
    return this.dataSource;
  }

  /** The data source as a browser sees it: which secrets are set, never their values. */
  view(type: string): Partial<DataSourceSettings> {
    const { uid, name, url, jsonData, secureJsonData } = this.dataSource;
    const secrets = Object.entries(secureJsonData).map(([field, value]) => [field, value !== '']);
    return {
      ...{ id: 1, uid, name, type, typeName: name, access: 'proxy', url, jsonData, readOnly: false },
      secureJsonFields: Object.fromEntries(secrets),
    };
  }

  save(update: DataSourceUpdate): void {
    const { uid, secureJsonData, updated, ...current } = this.dataSource;
    const { name = current.name, url = current.url, jsonData = current.jsonData } = update;
    this.dataSource = {
      ...{ uid, name, url, jsonData, secureJsonData: { ...secureJsonData, ...update.secureJsonData } },
      // To the backend, two saves within a millisecond would look like one.
      updated: Math.max(Date.now(), updated + 1),
    };
  }
}
