#!/usr/bin/perl
# A source that wants its requests signed: the host signs `text` with the key (HMAC-SHA256), which is never seen here.
use strict; use warnings; use JSON::PP; $| = 1;
my ($host, $json) = ('api.moonbase.example', JSON::PP->new->ascii->canonical);
while (my $line = <STDIN>) {
  my ($plan, $asked) = @{$json->decode($line)}{'plan', 'parse'};
  my $path = $plan ? '/v1/ticker?pair=' . uc "$plan->{symbols}[0]-$plan->{currency}" : '';
  my $body = $asked ? eval { $json->decode($asked->{responses}[0]{body}) } : undef;
  my $answer = $plan ? {requests => [{url => "https://$host$path", sign => {text => "$plan->{now} GET $path"},
      headers => {'X-Time' => $plan->{now}, 'X-Signature' => '{signature}'}}]}
    : !$asked ? {bitpal => 1, id => 'signed', name => 'Moonbase', answers => ['quotes']}
    : ref $body eq 'HASH' && $body->{last} ? {rows => [{id => $asked->{coins}[0], price => $body->{last}, time => $body->{time}}]}
    : {error => {code => ref $body eq 'HASH' && $body->{error} ? 'not_found' : 'unreadable', message => 'no price came'}};
  print $json->encode($answer), "\n";
}
