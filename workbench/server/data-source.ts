import type { DataSource } from '../backend/wire';

/** The data source as a browser sees it: which secrets are set, never their values. */
export interface DataSourceView {
  id: number;
  uid: string;
  name: string;
  type: string;
  typeName: string;
  access: 'proxy';
  url: string;
  jsonData: Record<string, unknown>;
  secureJsonFields: Record<string, boolean>;
  version: number;
  readOnly: boolean;
}

/** What a browser saves. An absent secret doesn't change; an empty one is cleared. */
export interface DataSourceUpdate {
  name?: string;
  url?: string;
  jsonData?: Record<string, unknown>;
  secureJsonData?: Record<string, string>;
}

/** Keeps the settings of the workbench's only data source in memory, and its secrets on the server. */
export class DataSourceStore {
  private version = 1;

  constructor(private dataSource: DataSource) {}

  /** The settings with their secrets, only for the backend. */
  get(): DataSource {
    return this.dataSource;
  }

  view(type: string): DataSourceView {
    const { uid, name, url, jsonData, secureJsonData } = this.dataSource;
    const secureJsonFields = Object.fromEntries(
      Object.entries(secureJsonData).map(([field, value]) => [field, value !== ''])
    );
    return {
      ...{ id: 1, uid, name, type, typeName: name, access: 'proxy', url, jsonData, secureJsonFields },
      version: this.version,
      readOnly: false,
    };
  }

  save({ name, url, jsonData, secureJsonData }: DataSourceUpdate): void {
    const current = this.dataSource;
    this.version += 1;
    this.dataSource = {
      uid: current.uid,
      name: name ?? current.name,
      url: url ?? current.url,
      jsonData: jsonData ?? current.jsonData,
      secureJsonData: { ...current.secureJsonData, ...secureJsonData },
      // To the backend, two saves within a millisecond would look like one.
      updated: Math.max(Date.now(), current.updated + 1),
    };
  }
}
