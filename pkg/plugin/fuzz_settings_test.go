package plugin

import (
	"net/url"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// fuzzSecret is part of every secret. The fuzzer does not produce anything similar elsewhere.
const fuzzSecret = "s3cret-that-nobody-may-see"

// Any settings yield a usable instance, or one whose error names settings and no secret.
func FuzzSettings(f *testing.F) {
	for _, address := range []string{someURL, "", " https://h:1/a/ ", "http://u:p@h", "https://h?x=1#y", "ftp://h", "http://[::1]:80", "//h", "http://%zz", "\x00"} {
		f.Add(address, []byte(`{"login":"l"}`), "", "")
	}
	for _, raw := range []string{
		``, `null`, `[]`, `{"login":7}`, `{"login":"l","timeout":"5","cacheTTL":0,"maxRows":1e7,"maxConcurrentRequests":" 8 ","rateScale":"percent","currency":"eur"}`,
		`{"login":"l","timeout":1e999}`, `{"login":"l","timeout":3601}`, `{"login":"l","maxRows":"1e8","cacheTTL":-1}`, `{"login":"l","maxRows":"0x10"}`, `{"login":"l","cacheTTL":"NaN","timeout":true}`, `{"login":"l","runnersPath":"/a/../b"}`,
		`{"login":"l","pageSize":2001,"incrementalQuerying":"no","fullReadInterval":1e5}`, `{"login":"l","pageSize":"0","incrementalQuerying":"false","fullReadInterval":""}`,
		`{"login":"l","tlsAuthWithCACert":true,"tlsAuth":true,"serverName":"h","tlsSkipVerify":true}`, `{"login":"l","enableSecureSocksProxy":true}`,
		`{"login":"l","httpHeaderName1":"X-A","keepCookies":["a"],"timeout":30,"httpTimeout":"x","oauthPassThru":true}`,
		`{"login":"l","sigV4Auth":true,"sigV4Region":"r","basicAuthEnabled":true}`,
	} {
		f.Add(someURL, []byte(raw), "k", "c")
	}
	f.Fuzz(func(t *testing.T, address string, raw []byte, key, other string) {
		source := backend.DataSourceInstanceSettings{
			UID: "fuzz", Name: "Fuzz", Type: ID, URL: address, JSONData: raw,
			DecryptedSecureJSONData: map[string]string{
				"key": fuzzSecret + key, "tlsCACert": other + fuzzSecret, "tlsClientCert": other + fuzzSecret, "tlsClientKey": other + fuzzSecret,
				"httpHeaderValue1": fuzzSecret + other, "sigV4AccessKey": fuzzSecret, "sigV4SecretKey": fuzzSecret,
			},
		}
		settings, err := LoadSettings(source)
		made, failed := NewInstance(t.Context(), source)
		require.NoError(t, failed, "a failing constructor leaves Grafana with a generic error")
		i := made.(*Instance)
		defer i.Dispose()
		if i.settingsErr != nil {
			require.ErrorIs(t, i.settingsErr, inputerror.Err)
			require.NotContains(t, i.settingsErr.Error(), fuzzSecret)
		}
		if err != nil {
			require.ErrorIs(t, i.settingsErr, inputerror.Err)
			require.Equal(t, err.Error(), i.settingsErr.Error())
			return
		}
		requireUsable(t, settings)
	})
}

func requireUsable(t *testing.T, s *Settings) {
	t.Helper()
	base, err := url.Parse(s.Service.BaseURL)
	require.NoError(t, err)
	require.Contains(t, []string{"http", "https"}, base.Scheme)
	require.NotEmpty(t, base.Hostname())
	require.Nil(t, base.User)
	address, err := url.Parse(s.Service.BaseURL + s.Paths["runners"])
	require.NoError(t, err)
	require.Equal(t, base.Host, address.Host, "the runners path leads to no other host")
	require.Empty(t, address.RawQuery)
	require.NotEmpty(t, s.Service.Login)
	require.NotEmpty(t, s.Service.Key)
	require.True(t, s.Service.Timeout >= time.Second && s.Service.Timeout <= time.Hour)
	require.True(t, s.Reads.CacheTTL >= 0 && s.Reads.CacheTTL <= 24*time.Hour)
	require.True(t, s.Service.MaxConcurrent >= 1 && s.Service.MaxConcurrent <= 32)
	require.Equal(t, s.Service.MaxConcurrent, s.Reads.MaxConcurrent)
	require.True(t, s.Reads.MaxRows >= 1 && s.Reads.MaxRows <= 10_000_000)
	require.True(t, s.Reads.PageSize >= 0 && s.Reads.PageSize <= 2000)
	require.True(t, s.Reads.FullReadInterval >= 0 && s.Reads.FullReadInterval <= 24*time.Hour)
}
